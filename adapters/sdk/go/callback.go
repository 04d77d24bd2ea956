package adapter

import (
	"encoding/json"
	"errors"
)

// A Callback is one scripted callback of one scenario: what an adapter's functions hand their arguments to.
type Callback struct {
	name     string
	ops      value
	recorder *recorder
	act      func(value) error
}

// Reply builds what the binding wants from the reply's JSON text; an error is the binding's own refusal, or a stop.
type Reply func(reply json.RawMessage) (json.RawMessage, error)

// Whole hands the reply over as it is.
func Whole(reply json.RawMessage) (json.RawMessage, error) { return reply, nil }

// Play records the entry, lets the ops change the natural reply, records the reply and returns what build makes of it.
// given and natural are typed structs with JSON tags, or JSON text. The error is what the callback shall fail with.
func (c *Callback) Play(given, natural any, build Reply) (made json.RawMessage, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = faultf("callback '%s': the adapter panicked: %v", c.name, broken)
		}
		var reason stop
		if errors.As(err, &reason) {
			c.recorder.stop(reason)
		}
	}()
	entered, err := jsonOf(given)
	if err != nil {
		return nil, faultf("callback '%s' was given %v", c.name, err)
	}
	reply, err := jsonOf(natural)
	if err != nil {
		return nil, faultf("callback '%s': its natural reply: %v", c.name, err)
	}
	k := c.recorder.enter(c.name, entered)
	if list, ok := c.ops.(*List); ok && len(list.items) == 0 {
		return c.hand(k, reply, build)
	}
	changed, err := c.changed(entered, reply)
	var scripted *ScriptedError
	if errors.As(err, &scripted) {
		c.recorder.raising(c.name, k, scripted.Text)
	}
	if err != nil {
		return nil, err
	}
	return c.hand(k, textOf(changed), build)
}

// changed returns the natural reply as the ops leave it.
func (c *Callback) changed(entered, natural json.RawMessage) (value, error) {
	reply, err := parse(natural)
	if err != nil {
		return nil, err
	}
	names := func(name string) (value, bool) {
		if name != "given" {
			return c.recorder.known(name)
		}
		given, err := parse(entered)
		return given, err == nil
	}
	return perform(c.name, c.ops, reply, names, c.act)
}

// hand records the reply before the binding has it: once it has, other records may follow at once.
func (c *Callback) hand(k int, reply json.RawMessage, build Reply) (json.RawMessage, error) {
	made, err := build(reply)
	var reason stop
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
}

// Put records one event, given as the JSON text that the binding made of it.
func (s *Sink) Put(event json.RawMessage) { s.recorder.event(s.name, event) }
