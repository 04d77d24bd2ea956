package adapter

import "runtime"

// An actor acts one scenario after the other through a binding, on a clean slate each time.
type actor struct {
	binding Binding
	late    *strays
}

// run acts a scenario and returns its observation as JSON text; the error is a stop.
func (a *actor) run(scenario value) ([]byte, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, err := a.binding.Registered("")
	if err != nil {
		return nil, faultf("the listing of registrations: %v", err)
	}
	play := newPerformance(a.binding, newRecorder(a.late))
	if err := play.whole(scenario); err != nil {
		return nil, err
	}
	after, err := a.binding.Registered("")
	if err != nil {
		return nil, faultf("the listing of registrations: %v", err)
	}
	if reason := play.recorder.reason(); reason != nil {
		return nil, reason
	}
	return observation(play.recorder.log, less(after, before), a.late.take()), nil
}

func observation(log [][]byte, left []Registration, late [][]byte) []byte {
	text := appendAll([]byte(`{"log":`), log)
	text = append(append(text, `,"left":`...), entries(left)...)
	return append(appendAll(append(text, `,"stray":`...), late), '}')
}

// entries returns registrations as JSON text.
func entries(registrations []Registration) []byte {
	names := make([][]byte, len(registrations))
	for i, one := range registrations {
		names[i] = appendValue(nil, object("family", one.Family, "name", one.Name))
	}
	return appendAll(nil, names)
}

func appendAll(to []byte, texts [][]byte) []byte {
	to = append(to, '[')
	for i, text := range texts {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(to, text...)
	}
	return append(to, ']')
}

// less returns what is in after more often than in before.
func less(after, before []Registration) []Registration {
	count := map[Registration]int{}
	for _, one := range before {
		count[one]++
	}
	var more []Registration
	for _, one := range after {
		if count[one]--; count[one] < 0 {
			more = append(more, one)
		}
	}
	return more
}
