package relay

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"bindproof/adapter"
)

// A recorder writes the log of one scenario: facts in the order seen, as JSON text, under one lock. After settle
// everything goes to the strays.
type recorder struct {
	mu      sync.Mutex
	log     [][]byte
	strays  *strays
	values  map[string]json.RawMessage
	entries map[string]int
	stopped adapter.Stop
	settled bool
}

// Strays are facts that came after their scenario's end; they are told with the next one.
type strays struct {
	mu    sync.Mutex
	facts [][]byte
}

func (s *strays) add(fact []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.facts = append(s.facts, fact)
}

func (s *strays) take() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	facts := s.facts
	s.facts = nil
	return facts
}

func newRecorder(late *strays) *recorder {
	return &recorder{strays: late, values: map[string]json.RawMessage{}, entries: map[string]int{}}
}

// enter records that a callback was called, and returns which call of it this is, counted from 0.
func (r *recorder) enter(callback string, given value) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := r.entries[callback]
	r.entries[callback] = k + 1
	r.append(fact("enter", "callback", callback, "k", number(k), "given", given))
	return k
}

// leave records the reply that is about to be handed to the binding.
func (r *recorder) leave(callback string, k int, reply value) {
	r.add(fact("leave", "callback", callback, "k", number(k), "reply", reply))
}

// raising records that the callback is about to fail with a scripted error.
func (r *recorder) raising(callback string, k int, text string) {
	r.add(fact("leave", "callback", callback, "k", number(k), "raised", text))
}

// refused records that the binding's own types refused the callback's reply.
func (r *recorder) refused(callback string, k int, reply value, err error) {
	described := object("type", typeOf(err), "message", err.Error())
	r.add(fact("refused", "callback", callback, "k", number(k), "reply", reply, "error", described))
}

// asking records what a callback goes on with.
func (r *recorder) asking(callback string, k int, argument value) {
	r.add(fact("next", "callback", callback, "k", number(k), "given", argument))
}

// answered records what going on gave.
func (r *recorder) answered(callback string, k int, answer value) {
	r.add(fact("answer", "callback", callback, "k", number(k), "value", answer))
}

// unanswered records the error that going on ended with.
func (r *recorder) unanswered(callback string, k int, err error) {
	r.add(fact("answer", "callback", callback, "k", number(k), "error", described(err)))
}

// waiting records that a callback stands at a closed latch.
func (r *recorder) waiting(callback string, k int, latch string) {
	r.add(fact("wait", "callback", callback, "k", number(k), "latch", latch))
}

// resumed records that a callback that stood at a latch goes on.
func (r *recorder) resumed(callback string, k int) {
	r.add(fact("resume", "callback", callback, "k", number(k)))
}

// chunk records a chunk that is about to be handed to the binding.
func (r *recorder) chunk(callback string, k int, chunk value) {
	r.add(fact("chunk", "callback", callback, "k", number(k), "value", chunk))
}

// over records that a callback's stream has ended by itself.
func (r *recorder) over(callback string, k int) {
	r.add(fact("over", "callback", callback, "k", number(k), "how", "ended"))
}

// read records a chunk that a reader got.
func (r *recorder) read(step string, chunk value) {
	r.add(fact("read", "step", step, "value", chunk))
}

// event records an event as the binding serialised it.
func (r *recorder) event(subscriber string, text json.RawMessage) {
	event, err := oneLine(text)
	if err != nil {
		r.stop(faultf("subscriber '%s' was told %v", subscriber, err))
		return
	}
	r.add(fact("event", "subscriber", subscriber, "event", event))
}

// done records what a finished step gave.
func (r *recorder) done(step string, given json.RawMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.values[step] = given
	r.append(fact("done", "step", step, "value", given))
}

// failed records the error that a step ended with.
func (r *recorder) failed(step string, err error) {
	r.add(fact("done", "step", step, "error", described(err)))
}

// described is an error as a fact has it. Errors cross this boundary as text, so none is a callback's own.
func described(err error) *Object {
	return object("type", typeOf(err), "message", err.Error(), "code", codeOf(err), "same_as", nil)
}

// stop keeps the first reason why the scenario cannot go on; it outlives whatever the binding makes of it.
func (r *recorder) stop(reason adapter.Stop) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped == nil {
		r.stopped = reason
	}
}

func (r *recorder) reason() adapter.Stop {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stopped
}

// known looks up what `$get` may name: the steps that are done.
func (r *recorder) known(name string) (value, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	text, there := r.values[name]
	if !there {
		return nil, false
	}
	found, err := parse(text)
	return found, err == nil
}

// settle records the end; nothing follows it.
func (r *recorder) settle() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.append(fact("settled"))
	r.settled = true
}

func (r *recorder) add(fact []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.append(fact)
}

func (r *recorder) append(fact []byte) {
	if r.settled {
		r.strays.add(fact)
		return
	}
	r.log = append(r.log, fact)
}

// fact writes a record: its kind, then keys and values in turn.
func fact(kind string, members ...any) []byte {
	text := appendString(append(make([]byte, 0, 256), `{"fact":`...), kind)
	for i := 0; i < len(members); i += 2 {
		text = append(appendString(append(text, ','), members[i].(string)), ':')
		text = appendValue(text, members[i+1])
	}
	return append(text, '}')
}

// object makes an object of keys and values in turn.
func object(members ...any) *Object {
	made := newObject()
	for i := 0; i < len(members); i += 2 {
		made.set(members[i].(string), members[i+1])
	}
	return made
}

func number(k int) json.Number { return json.Number(strconv.Itoa(k)) }

// Coded is an error that has a code of its own.
type Coded interface {
	error
	Code() string
}

func codeOf(err error) value {
	var coded Coded
	if errors.As(err, &coded) {
		return coded.Code()
	}
	return nil
}

func typeOf(err error) string { return strings.TrimPrefix(reflect.TypeOf(err).String(), "*") }
