package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// conversation is a tune eval that is spoken to line by line.
type conversation struct {
	*exec.Cmd
	in  *os.File
	out *bufio.Reader
}

func converse(t *testing.T, folder string) *conversation {
	t.Helper()
	c := &conversation{Cmd: exec.Command("tune", "eval", "-config", "long.yaml", "-games", "20")}
	c.Dir = folder
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stdin, c.in = read, write
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	c.out = bufio.NewReader(out)
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	return c
}

func (c *conversation) ask(t *testing.T, id int) string {
	t.Helper()
	fmt.Fprintf(c.in, `{"id": "t%d", "weights": {"empty": %d}}`+"\n", id, 200+id)
	answer, err := c.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// TestEvalKilled: an optimizer gets each answer before it asks on. The answers outlast a kill, also
// in a run that was finished once. The same questions get the same answers in the same run.
func TestEvalKilled(t *testing.T) {
	folder, undisturbed := folderWith(t, crashing), folderWith(t, crashing)
	var want []string
	c := converse(t, undisturbed)
	for id := range 3 {
		want = append(want, c.ask(t, id))
	}
	c.in.Close()
	c.Wait()

	for asked, ends := range []bool{true, false, false} {
		c := converse(t, folder)
		for id := range asked + 1 {
			if got := c.ask(t, id); got != want[id] {
				t.Fatalf("after %d kills: got %s, want %s", asked, got, want[id])
			}
		}
		if ends {
			c.in.Close()
		} else {
			fmt.Fprintln(c.in, `{"id": "t2", "weights": {"empty": 202}}`) // killed in the middle of it, or before or after
			c.Process.Kill()
		}
		c.Wait()
	}
	c = converse(t, folder)
	for id := range 3 {
		c.ask(t, id)
	}
	c.in.Close()
	c.Wait()
	if a, b := content(t, folder, "crashing-eval"), content(t, undisturbed, "crashing-eval"); a != b {
		t.Errorf("the killed run has other content than the undisturbed one:\n%s\n%s", a, b)
	}
}
