package relay

import "testing"

func TestWhoOpensALatchOfWhatIsPublishedWaitsUntilSomeoneStandsThere(t *testing.T) {
	recorder := newRecorder(&strays{})
	latches := newLatches(recorder)
	ops, _ := parse([]byte(`[{"op": "wait", "latch": "x"}, {"op": "edit"}]`))
	latches.hold(ops)
	over := make(chan error)
	go func() { over <- latches.wait("z.sanitize", 0, "x") }()
	latches.open("x")
	if err := <-over; err != nil {
		t.Fatal(err)
	}
	if err := latches.wait("z.sanitize", 1, "x"); err != nil {
		t.Fatal(err)
	}
	if len(recorder.log) != 2 {
		t.Fatalf("it stands there once, and goes on: %s", recorder.log)
	}
}

func TestWhatIsClosedStillIsOpenedWhenAllIsOver(t *testing.T) {
	latches := newLatches(newRecorder(&strays{}))
	ops, _ := parse([]byte(`[{"op": "wait", "latch": "x"}]`))
	latches.hold(ops)
	latches.openAll()
	if err := latches.wait("z.sanitize", 0, "x"); err != nil {
		t.Fatal(err)
	}
}

func TestASubscriberStandsAtTheFirstEventThatItIsTold(t *testing.T) {
	recorder := newRecorder(&strays{})
	latches := newLatches(recorder)
	ops, _ := parse([]byte(`[{"op": "wait", "latch": "x"}]`))
	latches.hold(ops)
	sink := &Sink{name: "s", recorder: recorder, latches: latches, at: []string{"x"}}
	over := make(chan struct{})
	go func() {
		sink.Put([]byte(`{}`))
		sink.Put([]byte(`{}`))
		close(over)
	}()
	latches.open("x")
	<-over
	if len(recorder.log) != 4 {
		t.Fatalf("told, it waits and goes on, and is told: %s", recorder.log)
	}
}
