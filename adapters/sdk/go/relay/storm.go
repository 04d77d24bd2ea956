package relay

import (
	"runtime"
	"sync"
)

// storm acts programs that begin at the same moment, each on a goroutine that keeps an OS thread, on a scope stack of its
// own; it comes back when all are over.
func (p *performance) storm(step value) error {
	if textAt(step, "on") != "threads" {
		return inexpressible("tasks", "a call blocks its goroutine until it is over")
	}
	programs := listOf(step, "programs").items
	var ready, over sync.WaitGroup
	ready.Add(len(programs))
	over.Add(len(programs))
	for _, steps := range programs {
		go func() {
			defer over.Done()
			runtime.LockOSThread() // the thread ends with the program, and its scope stack too
			p.atOnce(steps.(*List).items, &ready)
		}()
	}
	over.Wait()
	return nil
}

// atOnce acts one of the programs, once all are ready.
func (p *performance) atOnce(steps []value, ready *sync.WaitGroup) {
	arrived := false
	defer func() {
		if !arrived {
			ready.Done()
		}
		if broken := recover(); broken != nil {
			p.recorder.stop(faultf("a program of a storm: the adapter panicked: %v", broken))
		}
	}()
	act := func(Beside) {
		arrived = true
		ready.Done()
		ready.Wait()
		for _, step := range steps {
			p.act(step)
		}
	}
	if err := p.binding.OnFreshScope(act); err != nil {
		p.recorder.stop(faultf("a new scope stack of a program: %v", err))
	}
}
