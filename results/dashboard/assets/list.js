"use strict";
// Keeps the list of runs up to date: asks every 2 s while it changes, less and less often while it does not, and not while nobody looks.
(() => {
  const soonest = 2000, latest = 30000; // ms
  let pause = soonest;
  const reached = document.getElementById("reached");
  let shown = "";

  async function refresh() {
    pause = Math.min(latest, pause * 1.3);
    const answer = await fetch(location.href, {cache: "no-cache"});
    const text = await answer.text();
    const page = new DOMParser().parseFromString(text, "text/html");
    if (!answer.ok) {
      reached.textContent = page.querySelector(".error")?.textContent || answer.statusText;
      return;
    }
    reached.textContent = "";
    if (text === shown) return;
    shown = text;
    pause = soonest;
    const focused = document.activeElement?.closest("#list a")?.getAttribute("href");
    document.getElementById("list").replaceWith(page.getElementById("list"));
    localTimes();
    if (focused) [...document.querySelectorAll("#list a")].find(link => link.getAttribute("href") === focused)?.focus();
  }

  // Times as the clock on the wall has them.
  const localTimes = () => {
    for (const time of document.querySelectorAll("time[datetime]")) time.textContent = new Date(time.dateTime).toLocaleString([], {dateStyle: "medium", timeStyle: "short"});
  };
  localTimes();

  let timer;
  function tick() {
    clearTimeout(timer);
    if (document.hidden) return; // looked at by nobody
    refresh().catch(() => { reached.textContent = "the server is away"; }).finally(() => { timer = setTimeout(tick, pause); });
  }
  document.addEventListener("visibilitychange", () => {
    pause = soonest;
    tick();
  });
  timer = setTimeout(tick, pause);
})();
