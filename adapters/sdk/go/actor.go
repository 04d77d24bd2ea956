package adapter

import "runtime"

// An actor acts one scenario after the other through a binding, on a clean slate each time.
type actor struct {
	binding Binding
	late    *strays
}

// run acts a scenario and appends its observation as JSON text; the error is a stop.
func (a *actor) run(to []byte, scenario value) ([]byte, error) {
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
	to = appendAll(append(to, `{"log":`...), play.recorder.log)
	to = append(append(to, `,"left":`...), entries(less(after, before))...)
	return append(appendAll(append(to, `,"stray":`...), a.late.take()), '}'), nil
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
