package relay

import (
	"encoding/json"
	"sync/atomic"
	"time"
)

// settling is how long a stream that has ended, or was dropped, may take until its finalizer has run too.
const settling = time.Second

// Streaming is what a Binding has besides that has streams. It registers callbacks of the family `llm.stream`.
type Streaming interface {
	// OpenStream makes a managed stream call and returns the stream that its caller gets.
	OpenStream(step Step, parts Parts) (Reader, error)
}

// Reader is a stream of a binding, as a program reads it.
type Reader interface {
	// Next returns the next chunk; at the end there is none.
	Next() (chunk json.RawMessage, there bool, err error)
	// Close closes it.
	Close() error
	// Drop forgets it.
	Drop()
}

// Parts are the callbacks of one stream call. Without a codec, Decode and Encode are nil.
type Parts struct {
	Source, Decode, Encode *Callback
	Collector              Collector
	Finalizer              Finalizer
}

// A Collector is given each chunk of a stream, and answers nothing.
type Collector struct{ callback *Callback }

// Take plays the collector for one chunk.
func (c Collector) Take(chunk json.RawMessage) {
	_, _ = c.callback.Play(textOf(object("chunk", chunk)), nothing, Whole)
}

// A Finalizer makes something of a stream at its end.
type Finalizer struct {
	callback *Callback
	ran      *atomic.Bool
}

// Finish plays the finalizer.
func (f Finalizer) Finish() (json.RawMessage, error) {
	defer f.ran.Store(true) // not before: it may run on another thread than the reader
	return f.callback.Play(json.RawMessage("{}"), json.RawMessage(`{"done":true}`), Whole)
}

// openStream is a stream that a program has opened.
type openStream struct {
	reader Reader
	ran    *atomic.Bool
	flush  func() error
	ended  bool
}

// read reads n chunks, or all where n is negative, and records each.
func (s *openStream) read(step string, n int, recorder *recorder) (json.RawMessage, error) {
	for count := 0; !s.ended && count != n; count++ {
		chunk, there, err := s.reader.Next()
		if err != nil {
			s.ended = true
			_ = s.settle() // what the reader was told goes before
			return nil, err
		}
		if there {
			recorder.read(step, chunk)
		}
		s.ended = !there
	}
	if !s.ended {
		return textOf(object("ended", false)), nil
	}
	return textOf(object("ended", true)), s.settle()
}

// close closes the stream, or drops it, and waits until its callbacks have ended.
func (s *openStream) close(how string) (err error) {
	s.ended = true
	if how == "close" {
		err = s.reader.Close()
	} else {
		s.reader.Drop()
	}
	if late := s.settle(); err == nil {
		err = late
	}
	return err
}

func (s *openStream) settle() error {
	for deadline := time.Now().Add(settling); !s.ran.Load() && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	return s.flush()
}

// -- the steps ---------------------------------------------------------------------------------------------------------

func (p *performance) streaming() (Streaming, error) {
	binding, ok := p.binding.(Streaming)
	if !ok {
		return nil, unsupported("llm.stream", "streams are not built yet")
	}
	return binding, nil
}

func (p *performance) openStream(step value, plain Step) error {
	binding, err := p.streaming()
	if err != nil {
		return err
	}
	as, ran := textAt(step, "as"), &atomic.Bool{}
	parts := Parts{
		Source:    p.callback(as+".source", step, "provider"),
		Collector: Collector{p.callback(as+".collector", step, "collector")},
		Finalizer: Finalizer{p.callback(as+".finalizer", step, "finalizer"), ran},
	}
	if list, ok := parts.Collector.callback.ops.(*List); !ok || len(list.items) > 0 {
		return inexpressible("collector", "a collector answers nothing: it cannot fail")
	}
	if parts.Decode, parts.Encode, err = p.codec(step); err != nil {
		return err
	}
	reader, err := binding.OpenStream(plain, parts)
	if err != nil {
		return err
	}
	stream := &openStream{reader: reader, ran: ran, flush: p.binding.Flush}
	p.streams[as] = stream
	if drained, _ := lookup(step, "drain"); drained == true {
		_, err = stream.read(as, -1, p.recorder)
	}
	return err
}

func (p *performance) useStream(step value) (json.RawMessage, error) {
	stream, there := p.streams[textAt(step, "of")]
	if !there {
		return nil, p.missing(step, textAt(step, "of"), "opened no stream")
	}
	if textAt(step, "step") == "close" {
		return nothing, stream.close(textAt(step, "how"))
	}
	n := -1
	if asked, _ := lookup(step, "n"); asked != nil {
		if err := json.Unmarshal(textOf(asked), &n); err != nil {
			return nil, faultf("step '%s': n is no number", textAt(step, "as"))
		}
	}
	return stream.read(textAt(step, "as"), n, p.recorder)
}
