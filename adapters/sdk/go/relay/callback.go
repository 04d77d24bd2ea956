package relay

import (
	"encoding/json"
	"errors"
	"sync/atomic"

	"bindproof/adapter"
)

// A Callback is one scripted callback of one scenario: what an adapter's functions hand their arguments to.
type Callback struct {
	name     string
	ops      value
	recorder *recorder
	act      func(step value, codec *ToldCodec) error
	latches  *latches
	codec    *ToldCodec // of the sanitizer that it is in this entry; nil elsewhere
}

// Reply builds what the binding wants from the reply's JSON text; an error is the binding's own refusal, or a stop.
type Reply func(reply json.RawMessage) (json.RawMessage, error)

// Whole hands the reply over as it is.
func Whole(reply json.RawMessage) (json.RawMessage, error) { return reply, nil }

// Play records the entry, lets the ops change the natural reply, records the reply and returns what build makes of it.
// given and natural are typed structs with JSON tags, or JSON text. The error is what the callback shall fail with.
func (c *Callback) Play(given, natural any, build Reply) (made json.RawMessage, err error) {
	defer c.guard(&err)
	entered, err := c.told(given)
	if err != nil {
		return nil, err
	}
	reply, err := jsonOf(natural)
	if err != nil {
		return nil, faultf("callback '%s': its natural reply: %v", c.name, err)
	}
	k := c.recorder.enter(c.name, entered)
	if list, ok := c.ops.(*List); ok && len(list.items) == 0 {
		return c.hand(k, reply, build)
	}
	changed, err := c.changed(k, entered, reply)
	if err != nil {
		return nil, c.failing(k, err)
	}
	return c.hand(k, textOf(changed), build)
}

// guard ends a callback: a panic is the adapter's fault, and what stops the scenario is kept.
func (c *Callback) guard(err *error) {
	if broken := recover(); broken != nil {
		*err = faultf("callback '%s': the adapter panicked: %v", c.name, broken)
	}
	var reason adapter.Stop
	if errors.As(*err, &reason) {
		c.recorder.stop(reason)
	}
}

func (c *Callback) told(given any) (json.RawMessage, error) {
	entered, err := jsonOf(given)
	if err != nil {
		return nil, faultf("callback '%s' was given %v", c.name, err)
	}
	return entered, nil
}

// failing records what the callback is about to fail with, unless that stops the scenario.
func (c *Callback) failing(k int, err error) error {
	var reason adapter.Stop
	if !errors.As(err, &reason) {
		c.recorder.raising(c.name, k, err.Error())
	}
	return err
}

// acting carries out an op of entry k that is the program's: it acts a step, or waits at a latch.
func (c *Callback) acting(k int) func(op value) error {
	return func(op value) error {
		if textAt(op, "op") == "wait" {
			return c.latches.wait(c.name, k, textAt(op, "latch"))
		}
		step, _ := lookup(op, "step")
		return c.act(step, c.codec)
	}
}

// opsOf returns what the callback does in entry k.
func (c *Callback) opsOf(k int) (*List, error) {
	ops, ok := c.ops.(*List)
	if !ok {
		return nil, faultf("callback '%s': its ops are no list", c.name)
	}
	return ofEntry(ops, k), nil
}

// changed returns the natural reply as the ops leave it.
func (c *Callback) changed(k int, entered, natural json.RawMessage) (value, error) {
	reply, err := parse(natural)
	if err != nil {
		return nil, err
	}
	ops, err := c.opsOf(k)
	if err != nil {
		return nil, err
	}
	return perform(c.name, ops, reply, c.names(entered, nil), c.acting(k))
}

// names looks up what `$get` may name here: what was given, the answers of `next` so far, and finished steps.
func (c *Callback) names(entered json.RawMessage, answers *List) known {
	return func(name string) (value, bool) {
		switch {
		case name == "given":
			given, err := parse(entered)
			return given, err == nil
		case name == "next" && answers != nil:
			return answers, true
		}
		return c.recorder.known(name)
	}
}

// hand records the reply before the binding has it: once it has, other records may follow at once.
func (c *Callback) hand(k int, reply json.RawMessage, build Reply) (json.RawMessage, error) {
	made, err := build(reply)
	var reason adapter.Stop
	if errors.As(err, &reason) {
		return nil, err
	}
	if err != nil {
		c.recorder.refused(c.name, k, reply, err)
		return nil, err
	}
	c.recorder.leave(c.name, k, reply)
	return made, nil
}

// A Sink is where the events of one subscriber go.
type Sink struct {
	name     string
	recorder *recorder
	latches  *latches
	at       []string // the latches at which it waits
	told     atomic.Int64
}

// Put records one event, given as the JSON text that the binding made of it, and waits where the subscriber does.
func (s *Sink) Put(event json.RawMessage) {
	s.recorder.event(s.name, event)
	k := int(s.told.Add(1)) - 1
	for _, latch := range s.at {
		s.latches.held[latch].stand(s.name+".told", k, latch)
	}
}
