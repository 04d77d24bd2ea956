package relay

import (
	"encoding/json"
	"errors"

	"bindproof/adapter"
)

// Execution is what a callback wraps.
type Execution struct {
	// Argument is what `next` goes on with unless it is edited.
	Argument json.RawMessage
	// Form makes a reply of an answer, and of nil where nothing was asked.
	Form func(answer json.RawMessage) json.RawMessage
	// Proceed goes on with it.
	Proceed Proceed
}

// Proceed goes on with an argument and returns the answer.
type Proceed func(argument json.RawMessage) (json.RawMessage, error)

// Wrap plays a callback that wraps an execution, as Play does: it may go on with what it wraps, by the op `next`. Without
// that op the natural reply is made of the answer to the argument itself.
func (c *Callback) Wrap(given any, execution Execution, build Reply) (made json.RawMessage, err error) {
	defer c.guard(&err)
	entered, err := c.told(given)
	if err != nil {
		return nil, err
	}
	k := c.recorder.enter(c.name, entered)
	asked := &asked{callback: c, k: k, execution: execution, answers: &List{}}
	asked.names = c.names(entered, asked.answers)
	reply, err := asked.reply()
	if err != nil {
		return nil, c.failing(k, err)
	}
	return c.hand(k, textOf(reply), build)
}

// asked is one entry of a callback, and what it asked so far.
type asked struct {
	callback  *Callback
	k         int
	execution Execution
	answers   *List
	names     known
}

func (a *asked) reply() (value, error) {
	ops, err := a.callback.opsOf(a.k)
	if err != nil {
		return nil, err
	}
	reply, err := parse(a.execution.Form(nil))
	if err == nil && !asks(ops) {
		reply, err = a.ask(a.execution.Argument)
	}
	for i := 0; i < len(ops.items) && err == nil; i++ {
		if op := ops.items[i]; textAt(op, "op") == "next" {
			reply, err = a.goOn(i, op, reply)
		} else {
			reply, err = apply(a.callback.name, i, op, reply, a.names, a.callback.acting(a.k))
		}
	}
	return reply, err
}

// goOn goes on once for each edit of the op; the last answer makes the reply.
func (a *asked) goOn(index int, op, reply value) (value, error) {
	if together, _ := lookup(op, "at_once"); together == true {
		return nil, inexpressible("at_once", "going on is a call that blocks until the answer is there")
	}
	caught, _ := lookup(op, "catch")
	edits, err := member(op, "edits")
	list, ok := edits.(*List)
	if err != nil || !ok {
		return nil, faultf("callback '%s', op %d: its edits are no list", a.callback.name, index)
	}
	for _, changes := range list.items {
		argument, err := parse(a.execution.Argument)
		if err == nil {
			argument, err = edited(a.callback.name, index, changes, argument, a.names)
		}
		if err != nil {
			return nil, err
		}
		made, err := a.ask(textOf(argument))
		var reason adapter.Stop
		switch {
		case err == nil:
			reply = made
		case errors.As(err, &reason) || caught != true:
			return nil, err
		default:
			a.answers.items = append(a.answers.items, nil)
		}
	}
	return reply, nil
}

// ask goes on once and returns the reply that the answer makes; the error is what it went on with failed with.
func (a *asked) ask(argument json.RawMessage) (value, error) {
	name, recorder := a.callback.name, a.callback.recorder
	recorder.asking(name, a.k, argument)
	given, err := a.execution.Proceed(argument)
	var reason adapter.Stop
	if errors.As(err, &reason) {
		return nil, err
	}
	if err != nil {
		recorder.unanswered(name, a.k, err)
		return nil, err
	}
	if given, err = jsonOf(given); err != nil {
		return nil, faultf("callback '%s' was answered %v", name, err)
	}
	recorder.answered(name, a.k, given)
	answer, err := parse(given)
	if err != nil {
		return nil, err
	}
	a.answers.items = append(a.answers.items, answer)
	return parse(a.execution.Form(given))
}

func asks(ops *List) bool {
	for _, op := range ops.items {
		if textAt(op, "op") == "next" {
			return true
		}
	}
	return false
}
