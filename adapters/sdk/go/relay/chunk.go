package relay

import (
	"encoding/json"
	"errors"

	"bindproof/adapter"
)

// Callbacks that hand over chunks, where a binding's callback answers once: with the one chunk of its stream.

// StreamProvider plays the provider of a stream.
func (c *Callback) StreamProvider(request json.RawMessage) (json.RawMessage, error) {
	return c.onlyChunk(textOf(object("request", request)), nil)
}

// LLMStream plays an intercept of streams; codecs are nil where the binding does not tell them, and proceed gives the one
// chunk of what it wraps.
func (c *Callback) LLMStream(request json.RawMessage, codecs *ToldCodecs, proceed Proceed) (json.RawMessage, error) {
	return c.onlyChunk(textOf(codecs.beside(object("request", request))), &Execution{Argument: request, Proceed: proceed})
}

// onlyChunk plays a callback that hands over chunks, and answers with the only one. What happens after its first op
// `yield` happens when its stream is read, which is too late for more than a chunk.
func (c *Callback) onlyChunk(given json.RawMessage, wrapped *Execution) (made json.RawMessage, err error) {
	defer c.guard(&err)
	ops, ok := c.ops.(*List)
	if !ok {
		return nil, faultf("callback '%s': its ops are no list", c.name)
	}
	k := c.recorder.enter(c.name, given)
	flow := &flow{callback: c, k: k, wrapped: wrapped, names: c.names(given, nil)}
	late := firstLate(ops)
	if err := flow.eager(ops.items[:late], asks(ops)); err != nil {
		return nil, c.failing(k, err)
	}
	c.recorder.leave(c.name, k, nothing)
	if wrapped == nil && late == len(ops.items) {
		flow.chunks = []value{object("i", number(0)), object("i", number(1))}
	}
	if err := flow.late(ops.items[late:]); err != nil {
		return nil, err
	}
	if len(flow.chunks) != 1 {
		return nil, inexpressible("chunks", "a stream's callback answers with one chunk, not "+string(number(len(flow.chunks))))
	}
	chunk := textOf(flow.chunks[0])
	c.recorder.chunk(c.name, k, chunk)
	c.recorder.over(c.name, k)
	return chunk, nil
}

// firstLate is the index of the first op that is done when the stream is read.
func firstLate(ops *List) int {
	for i, op := range ops.items {
		if kind := textAt(op, "op"); kind == "yield" || kind == "hang" {
			return i
		}
	}
	return len(ops.items)
}

// flow is one entry of a callback that hands over chunks.
type flow struct {
	callback *Callback
	k        int
	wrapped  *Execution
	names    known
	chunks   []value
}

// eager does what is done when the callback is called; without the op `next` an intercept goes on first.
func (f *flow) eager(ops []value, asks bool) error {
	if f.wrapped != nil && !asks {
		if err := f.goOn(newObject(), 0, false); err != nil {
			return err
		}
	}
	for i, op := range ops {
		var err error
		switch kind := textAt(op, "op"); {
		case kind == "edit" && f.wrapped != nil: // of the chunks that are passed on
		case kind == "next" && f.wrapped != nil:
			caught, _ := lookup(op, "catch")
			edits, _ := lookup(op, "edits")
			if list, ok := edits.(*List); ok && len(list.items) > 0 {
				err = f.goOn(list.items[0], i, caught == true)
			}
		default:
			_, err = apply(f.callback.name, i, op, nil, f.names, f.callback.acting(f.k))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// goOn goes on once, and passes the chunk on that this gives.
func (f *flow) goOn(changes value, index int, caught bool) error {
	name, recorder := f.callback.name, f.callback.recorder
	argument, err := parse(f.wrapped.Argument)
	if err == nil {
		argument, err = edited(name, index, changes, argument, f.names)
	}
	if err != nil {
		return err
	}
	recorder.asking(name, f.k, textOf(argument))
	given, err := f.wrapped.Proceed(textOf(argument))
	var reason adapter.Stop
	if errors.As(err, &reason) {
		return err
	}
	if err != nil {
		recorder.unanswered(name, f.k, err)
		if caught {
			return nil
		}
		return err
	}
	recorder.answered(name, f.k, nothing)
	chunk, err := parse(given)
	for i, op := range f.callback.ops.(*List).items {
		if err == nil && textAt(op, "op") == "edit" {
			chunk, err = edited(name, i, op, chunk, f.names)
		}
	}
	f.chunks = append(f.chunks, chunk)
	return err
}

// late adds the chunks of the ops that are done when the stream is read.
func (f *flow) late(ops []value) error {
	for _, op := range ops {
		switch textAt(op, "op") {
		case "edit":
		case "yield":
			given, err := member(op, "chunks")
			if err == nil {
				given, err = resolve(given, f.names)
			}
			list, ok := given.(*List)
			if err != nil || !ok {
				return faultf("callback '%s': its chunks are no list", f.callback.name)
			}
			f.chunks = append(f.chunks, list.items...)
		default:
			return inexpressible("chunks", "a stream's callback does nothing more once it has answered")
		}
	}
	return nil
}
