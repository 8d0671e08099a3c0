package main

import (
	"net"
	"sync"
	"testing"
)

// manner is how a way treats what comes along.
type manner int

const (
	passing  manner = iota
	stalling        // nothing arrives, and nobody is told
	refusing        // connections are ended, and new ones, too
)

// way is a machine's network: a TCP proxy.
type way struct {
	net.Listener
	to      string
	mutex   sync.Mutex
	changed *sync.Cond
	how     manner
	open    map[net.Conn]bool
	alter   func(sent []byte) // changes bytes that the machine sends; may be nil
}

func newWay(t *testing.T, to string) *way {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	y := &way{Listener: l, to: to, open: map[net.Conn]bool{}}
	y.changed = sync.NewCond(&y.mutex)
	t.Cleanup(func() { l.Close(); y.be(refusing) })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go y.carry(c)
		}
	}()
	return y
}

func (y *way) be(how manner) {
	y.mutex.Lock()
	defer y.mutex.Unlock()
	if y.how = how; how == refusing {
		for c := range y.open {
			c.Close()
		}
	}
	y.changed.Broadcast()
}

// ready waits until something may pass. It reports whether it may.
func (y *way) ready(c net.Conn) bool {
	y.mutex.Lock()
	defer y.mutex.Unlock()
	for y.how == stalling {
		y.changed.Wait()
	}
	y.open[c] = true
	return y.how == passing
}

func (y *way) carry(from net.Conn) {
	defer from.Close()
	if !y.ready(from) {
		return
	}
	to, err := net.Dial("tcp", y.to)
	if err != nil {
		return
	}
	defer to.Close()
	var both sync.WaitGroup
	for _, pair := range [][2]net.Conn{{from, to}, {to, from}} {
		both.Go(func() {
			defer from.Close()
			defer to.Close()
			part := make([]byte, 1<<16)
			for {
				n, err := pair[0].Read(part)
				if y.alter != nil && pair[0] == from {
					y.alter(part[:n])
				}
				if !y.ready(from) {
					return
				}
				if _, e := pair[1].Write(part[:n]); err != nil || e != nil {
					return
				}
			}
		})
	}
	both.Wait()
	y.mutex.Lock()
	delete(y.open, from)
	y.mutex.Unlock()
}
