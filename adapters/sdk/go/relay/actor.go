// Package relay is what an adapter of the suite `relay` needs besides: the log, scripted callbacks, the clean slate. It
// gives NewActor a Binding, and is then its binding's API calls and little else.
//
// JSON passes through unharmed: numbers keep their digits and objects their order.
package relay

import (
	"bytes"
	"encoding/json"
	"runtime"

	"bindproof/adapter"
)

// An Actor acts one scenario after the other through a binding, on a clean slate each time.
type Actor struct {
	binding Binding
	late    *strays
}

// NewActor returns what Serve drives.
func NewActor(binding Binding) *Actor { return &Actor{binding, &strays{}} }

// Describe returns what the binding says of its target.
func (a *Actor) Describe() adapter.Description { return a.binding.Describe() }

// How a scenario spells what JSON lacks: in one of its texts the quotes would be escaped.
var noJSON = [][]byte{[]byte(`"$float"`), []byte(`"$integer"`), []byte(`"$function"`)}

// Run acts a scenario out and returns its observation.
func (a *Actor) Run(_ string, scenario json.RawMessage) (json.RawMessage, error) {
	for _, word := range noJSON {
		if bytes.Contains(scenario, word) {
			return nil, inexpressible("no_json", "what is handed over here is JSON")
		}
	}
	read, err := parse(scenario)
	if err != nil {
		return nil, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, err := a.binding.Registered("")
	if err != nil {
		return nil, faultf("the listing of registrations: %v", err)
	}
	play := newPerformance(a.binding, newRecorder(a.late))
	if err := play.whole(read); err != nil {
		return nil, err
	}
	after, err := a.binding.Registered("")
	if err != nil {
		return nil, faultf("the listing of registrations: %v", err)
	}
	if reason := play.recorder.reason(); reason != nil {
		return nil, reason
	}
	told := appendAll([]byte(`{"log":`), play.recorder.log)
	told = append(append(told, `,"left":`...), entries(less(after, before), bare)...)
	return append(appendAll(append(told, `,"stray":`...), a.late.take()), '}'), nil
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

// less returns what is in after more often than in before, by family and name.
func less(after, before []Registration) []Registration {
	type key struct{ family, name string }
	count := map[key]int{}
	for _, one := range before {
		count[key{one.Family, one.Name}]++
	}
	var more []Registration
	for _, one := range after {
		same := key{one.Family, one.Name}
		if count[same]--; count[same] < 0 {
			more = append(more, one)
		}
	}
	return more
}
