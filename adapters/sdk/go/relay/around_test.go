package relay

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// wrapped plays ops around a tool's execution that answers with its argument, or fails where that says so.
func wrapped(ops string) (string, error, *recorder) {
	list, _ := parse([]byte(ops))
	recorder := newRecorder(&strays{})
	act := func(value, *ToldCodec) error { return errors.New("no steps here") }
	callback := &Callback{"x", list, recorder, act, newLatches(recorder), nil}
	proceed := func(argument json.RawMessage) (json.RawMessage, error) {
		read, _ := parse(argument)
		if text := textAt(read, "fail"); text != "" {
			return nil, errors.New(text)
		}
		if textAt(read, "stop") != "" {
			return nil, inexpressible("next", "it cannot be said")
		}
		return textOf(object("result", read, "annotation", nil)), nil
	}
	name := "t"
	reply, err := callback.ToolExecution(&name, json.RawMessage(`{"a":1}`), nil, proceed, Whole)
	return string(reply), err, recorder
}

func facts(r *recorder) string {
	var kinds []string
	for _, one := range r.log {
		read, _ := parse(one)
		kinds = append(kinds, textAt(read, "fact"))
	}
	return strings.Join(kinds, " ")
}

func TestWithoutTheOpItGoesOnOnceUnchanged(t *testing.T) {
	reply, err, recorder := wrapped(`[]`)
	if err != nil || reply != `{"result":{"a":1},"annotation":null,"pending_marks":[]}` {
		t.Errorf("%s, %v", reply, err)
	}
	if got := facts(recorder); got != "enter next answer leave" {
		t.Errorf("got %s", got)
	}
}

func TestTheLastAnswerMakesTheReplyAndEachIsKnown(t *testing.T) {
	reply, err, _ := wrapped(`[{"op":"next","edits":[{"set":{"/b":2}},{"remove":["/a"]}],"catch":false},
		{"op":"edit","set":{"/annotation":{"$get":"next/0/result/b"},"/name":{"$get":"given/name"}}}]`)
	if err != nil || reply != `{"result":{},"annotation":2,"pending_marks":[],"name":"t"}` {
		t.Errorf("%s, %v", reply, err)
	}
}

func TestAFailureIsSwallowedOrLetPass(t *testing.T) {
	reply, err, recorder := wrapped(`[{"op":"next","edits":[{},{"set":{"/fail":"boom-1!"}}],"catch":true},
		{"op":"edit","set":{"/annotation":{"$get":"next/1"}}}]`)
	if err != nil || reply != `{"result":{"a":1},"annotation":null,"pending_marks":[]}` {
		t.Errorf("%s, %v", reply, err)
	}
	wants(t, string(recorder.log[4]), `{"fact":"answer","callback":"x","k":0,"error":{"type":"errors.errorString","message":"boom-1!"`)
	_, err, recorder = wrapped(`[{"op":"next","edits":[{"set":{"/fail":"boom-2!"}},{}],"catch":false}]`)
	if err == nil || err.Error() != "boom-2!" || facts(recorder) != "enter next answer leave" {
		t.Errorf("%v: %s", err, facts(recorder))
	}
	wants(t, string(recorder.log[3]), `{"fact":"leave","callback":"x","k":0,"raised":"boom-2!"}`)
}

func TestWhatCannotBeDoneStops(t *testing.T) {
	for ops, want := range map[string]string{
		`[{"op":"next","edits":[{"set":{"/stop":"x"}}],"catch":true}]`:   "next: it cannot be said",
		`[{"op":"next","edits":[{"remove":["/no"]}],"catch":true}]`:      "callback 'x', op 0, pointer '/no': ",
		`[{"op":"edit"},{"op":"next","edits":7,"catch":true}]`:           "callback 'x', op 1: its edits are no list",
		`[{"op":"next","edits":[{"set":{"":{"$none":true}}}]}]`:          "$none: ",
		`[{"op":"edit","set":{"/annotation":{"$get":"next/0/result"}}}]`: "",
	} {
		_, err, recorder := wrapped(ops)
		switch reason := recorder.reason(); {
		case want == "" && err == nil && reason == nil:
		case err == nil || reason == nil || !strings.HasPrefix(reason.Error(), want):
			t.Errorf("%s: %v, %v", ops, err, reason)
		}
	}
}
