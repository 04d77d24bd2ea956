package relay

import "runtime"

// latches are those of one scenario, and the calls in flight that stand at them. Such calls run beside the program, each
// on an OS thread of its own. One thing runs at a time: whoever lets a call go on waits until it stands at a latch or is
// over. That is the lock of all that is here.
type latches struct {
	recorder *recorder
	opened   map[string]bool
	standing []standing
	calls    []chan struct{} // each is closed when its call is over
	still    chan struct{}   // nil where no call in flight runs
	held     map[string]*held
}

type standing struct {
	latch string
	gate  chan struct{}
}

func newLatches(recorder *recorder) *latches {
	return &latches{recorder: recorder, opened: map[string]bool{}, held: map[string]*held{}}
}

// hold makes latches of those that hold up what is told: callbacks with these ops run when an event is published.
func (l *latches) hold(ops value) {
	list, ok := ops.(*List)
	if !ok {
		return
	}
	for _, op := range list.items {
		if textAt(op, "op") == "wait" {
			l.held[textAt(op, "latch")] = newHeld(l.recorder)
		}
	}
}

// start lets a call run beside the program, until it stands at a latch or is over. Its OS thread ends with it.
func (l *latches) start(call func()) {
	over := make(chan struct{})
	l.calls = append(l.calls, over)
	l.let(func() {
		go func() {
			defer close(over)
			defer l.stands()
			runtime.LockOSThread()
			call()
		}()
	})
}

// open opens a latch: who stands at it goes on, in order of arrival, one after the other.
func (l *latches) open(latch string) {
	if one, there := l.held[latch]; there {
		one.open()
		return
	}
	l.opened[latch] = true
	var ready, others []standing
	for _, one := range l.standing {
		if one.latch == latch {
			ready = append(ready, one)
		} else {
			others = append(others, one)
		}
	}
	l.standing = others
	for _, one := range ready {
		l.let(func() { close(one.gate) })
	}
}

// openAll opens what anyone stands at, until nobody does, and waits until the calls are over.
func (l *latches) openAll() {
	for _, one := range l.held {
		one.passed.open()
	}
	for len(l.standing) > 0 {
		l.open(l.standing[0].latch)
	}
	for _, over := range l.calls {
		<-over
	}
	l.calls = nil
}

// wait stands at a latch that is closed; it is a fault where the program itself would never go on.
func (l *latches) wait(callback string, k int, latch string) error {
	if one, there := l.held[latch]; there {
		one.stand(callback, k, latch)
		return nil
	}
	if l.opened[latch] {
		return nil
	}
	if l.still == nil {
		return faultf("callback '%s' waits at '%s', and the program waits for it", callback, latch)
	}
	l.recorder.waiting(callback, k, latch)
	gate := make(chan struct{})
	l.standing = append(l.standing, standing{latch, gate})
	l.stands()
	<-gate
	l.recorder.resumed(callback, k)
	return nil
}

func (l *latches) let(goOn func()) {
	still := make(chan struct{})
	l.still = still
	goOn()
	<-still
}

// stands lets the program go on.
func (l *latches) stands() {
	still := l.still
	l.still = nil
	close(still)
}
