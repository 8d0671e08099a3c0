package dashboard

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// policy lets a page load from this server only. Charts and tables set styles, no script is in a
// page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; " +
	"form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// guard answers those who may ask, and limits their browser in its use of the answer.
func (d *Dashboard) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "private, no-cache") // a copy may be kept, and must be asked about
		defer func() {
			if p := recover(); p != nil {
				err := fmt.Errorf("this is a mistake of the program, please report it: %v", p)
				if d.options.Warn != nil {
					d.options.Warn(fmt.Sprintf("%s %s: %v", r.Method, r.URL.Path, err))
				}
				d.fail(w, r, refusal{http.StatusInternalServerError, err})
			}
		}()
		switch {
		case !d.hasToken(r):
			h.Set("WWW-Authenticate", `Basic realm="tune", charset="UTF-8"`)
			d.fail(w, r, refusal{http.StatusUnauthorized,
				errors.New("this server wants its token: as the password, with any user name, or in a header: Authorization: " +
					"Bearer TOKEN")})
		case !d.isHost(r.Host):
			d.fail(w, r, refusal{http.StatusForbidden, fmt.Errorf(
				"this server answers requests for localhost only, got one for %q: to reach it by another name, start it with "+
					"-token-file FILE", r.Host)})
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			d.fail(w, r, refusal{http.StatusMethodNotAllowed,
				errors.New("this server only shows: it answers GET and HEAD")})
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// hasToken reports whether a request has the token, if one is wanted.
func (d *Dashboard) hasToken(r *http.Request) bool {
	if d.options.Token == "" {
		return true
	}
	_, given, isBasic := r.BasicAuth()
	if !isBasic {
		if text, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); isBearer {
			given = text
		}
	}
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(d.options.Token)) // of one length
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// isHost reports whether a request is for this machine, at any port: a tunnel has a port of its
// own. A page of another site can let its own name lead to 127.0.0.1, and then read here as if it
// were from here. But its requests are for that name. Who has the token is no such page.
func (d *Dashboard) isHost(host string) bool {
	if d.options.Address == "" || d.options.Token != "" {
		return true
	}
	asked, err := url.Parse("http://" + host)
	bound, _, wrong := net.SplitHostPort(d.options.Address)
	if err != nil || wrong != nil || asked.Host != host {
		return false
	}
	name := asked.Hostname()
	return strings.EqualFold(name, "localhost") || net.ParseIP(name).IsLoopback() || strings.EqualFold(name, bound)
}

// fromElsewhere refuses work to a page of another site, whose links could ask for it over and over
// again. Browsers send no Sec-Fetch-Site over plain http to another machine, so Origin and Referer
// count too.
func fromElsewhere(r *http.Request) error {
	site, from := r.Header.Get("Sec-Fetch-Site"), cmp.Or(r.Header.Get("Origin"), r.Header.Get("Referer"))
	page, err := url.Parse(from)
	if site == "cross-site" || site == "same-site" || from != "" &&
		(err != nil || !strings.EqualFold(page.Host, r.Host)) {
		return refusal{http.StatusForbidden,
			errors.New("a page of another site asked for this: open it from a page of this server, or enter its address")}
	}
	return nil
}
