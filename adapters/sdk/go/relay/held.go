package relay

import (
	"sync"
	"time"
)

// longest is how long who opens a latch waits for somebody to stand there, and who stands there for it to be opened.
const longest = 8 * time.Second

// held is a latch at which what runs when an event is published stands: what is told behind it waits, and the program
// does not. Nobody says when an event is published, so who opens it waits until somebody stands there, but not for long.
type held struct {
	came, passed door
	recorder     *recorder
}

// door is closed until it is opened, and then for good.
type door struct {
	once   sync.Once
	opened chan struct{}
}

func newHeld(recorder *recorder) *held {
	return &held{came: door{opened: make(chan struct{})}, passed: door{opened: make(chan struct{})}, recorder: recorder}
}

func (g *door) open() { g.once.Do(func() { close(g.opened) }) }

func (g *door) isOpen() bool {
	select {
	case <-g.opened:
		return true
	default:
		return false
	}
}

func (g *door) soon() {
	select {
	case <-g.opened:
	case <-time.After(longest):
	}
}

// stand stands at the latch where it is closed.
func (h *held) stand(callback string, k int, latch string) {
	if h.passed.isOpen() {
		return
	}
	h.recorder.waiting(callback, k, latch)
	h.came.open()
	h.passed.soon()
	h.passed.open()
	h.recorder.resumed(callback, k)
}

// open opens the latch when somebody stands there.
func (h *held) open() {
	h.came.soon()
	h.passed.open()
}
