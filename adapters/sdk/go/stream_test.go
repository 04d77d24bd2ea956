package adapter

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// onlyChunk plays ops as an intercept around a stream of one chunk, which fails where the request says so.
func onlyChunk(ops string) (string, error, *recorder) {
	list, _ := parse([]byte(ops))
	recorder := newRecorder(&strays{})
	callback := &Callback{"x", list, recorder, func(value) error { return nil }, newLatches(recorder)}
	proceed := func(argument json.RawMessage) (json.RawMessage, error) {
		if read, _ := parse(argument); textAt(read, "fail") != "" {
			return nil, errors.New(textAt(read, "fail"))
		}
		return json.RawMessage(`{"n":1}`), nil
	}
	chunk, err := callback.LLMStream(json.RawMessage(`{"a":1}`), proceed)
	return string(chunk), err, recorder
}

func TestAnInterceptPassesTheOnlyChunkOnAsItChangesIt(t *testing.T) {
	chunk, err, recorder := onlyChunk(`[{"op":"edit","set":{"/seen":true}}]`)
	if err != nil || chunk != `{"n":1,"seen":true}` {
		t.Errorf("%s, %v", chunk, err)
	}
	if got := facts(recorder); got != "enter next answer leave chunk over" {
		t.Errorf("got %s", got)
	}
}

func TestAnInterceptHandsOverAChunkOfItsOwn(t *testing.T) {
	for _, next := range []string{`{"op":"next","edits":[]}`, `{"op":"next","edits":[{"set":{"/fail":"boom-1!"}}],"catch":true}`} {
		chunk, err, _ := onlyChunk(`[` + next + `,{"op":"yield","chunks":[{"$get":"given/request/a"}]}]`)
		if err != nil || chunk != "1" {
			t.Errorf("%s, %v", chunk, err)
		}
	}
}

func TestAFailureBeforeTheStreamIsTheCallbacksOwn(t *testing.T) {
	for _, ops := range []string{
		`[{"op":"raise","text":"boom-1!"}]`, `[{"op":"next","edits":[{"set":{"/fail":"boom-1!"}}],"catch":false}]`,
	} {
		_, err, recorder := onlyChunk(ops)
		if err == nil || err.Error() != "boom-1!" || !strings.Contains(string(recorder.log[len(recorder.log)-1]), `"raised":"boom-1!"`) {
			t.Errorf("%v", err)
		}
	}
}

func TestMoreThanOneChunkCannotBeSaid(t *testing.T) {
	for _, ops := range []string{
		`[{"op":"yield","chunks":[2]}]`, `[{"op":"next","edits":[]}]`, `[{"op":"yield","chunks":[]},{"op":"raise","text":"boom-1!"}]`,
		`[{"op":"hang"}]`, `[{"op":"yield","chunks":[]},{"op":"next","edits":[{}]}]`,
	} {
		_, _, recorder := onlyChunk(ops)
		if cannot, ok := recorder.reason().(Inexpressible); !ok || cannot.Path != "chunks" {
			t.Errorf("%s: %v", ops, recorder.reason())
		}
	}
}

// streaming is a binding whose streams are the one chunk of their provider.
type streaming struct{ *fake }

type oneChunk struct {
	parts Parts
	chunk json.RawMessage
	gone  int
}

func (streaming) OpenStream(step Step, parts Parts) (Reader, error) {
	chunk, err := parts.Source.StreamProvider(step.Request)
	return &oneChunk{parts: parts, chunk: chunk}, err
}

func (o *oneChunk) Next() (json.RawMessage, bool, error) {
	if o.gone++; o.gone == 1 {
		o.parts.Collector.Take(o.chunk)
		return o.chunk, true, nil
	}
	_, err := o.parts.Finalizer.Finish()
	return nil, false, err
}

func (o *oneChunk) Close() error { return nil }

func (o *oneChunk) Drop() { _, _ = o.parts.Finalizer.Finish() }

const opened = `{"step":"call","as":"c","kind":"llm_stream","name":"gpt","request":{},"codec":"none","collector":[],` +
	`"provider":[{"op":"yield","chunks":[7]}],"finalizer":[],"drain":false}`

func TestAStreamIsReadInPartsAndClosed(t *testing.T) {
	recorder := acted(t, streaming{newFake()}, opened,
		`{"step":"read","as":"r","of":"c","n":1}`, `{"step":"read","as":"e","of":"c","n":null}`,
		`{"step":"close","as":"x","of":"c","how":"close"}`)
	if got, want := facts(recorder), "enter leave chunk over done enter leave read done enter leave done done settled"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if said := string(recorder.log[11]); !strings.Contains(said, `{"ended":true}`) {
		t.Errorf("got %s", said)
	}
}

func TestAStreamIsDrainedOrDropped(t *testing.T) {
	drained := strings.Replace(opened, `"drain":false`, `"drain":true`, 1)
	dropped := `{"step":"close","as":"x","of":"c","how":"drop"}`
	for want, steps := range map[string][]string{
		"enter leave chunk over enter leave read enter leave done settled": {drained},
		"enter leave chunk over done enter leave done settled":             {opened, dropped},
	} {
		if got := facts(acted(t, streaming{newFake()}, steps...)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestWhatNoStreamCanDoStops(t *testing.T) {
	failing := strings.Replace(opened, `"collector":[]`, `"collector":[{"op":"raise","text":"boom-1!"}]`, 1)
	for want, acts := range map[string]*recorder{
		"collector: a collector answers nothing: it cannot fail": acted(t, streaming{newFake()}, failing),
		"llm.stream: streams are not built yet":                  acted(t, newFake(), opened),
		"step 'r': 'c' has opened no stream yet":                 acted(t, newFake(), `{"step":"read","as":"r","of":"c","n":1}`),
	} {
		if reason := acts.reason(); reason == nil || reason.Error() != want {
			t.Errorf("got %v, want %s", reason, want)
		}
	}
}

// acted is the recorder of a scenario of these steps.
func acted(t *testing.T, binding Binding, steps ...string) *recorder {
	t.Helper()
	scenario, err := parse([]byte(`{"steps":[` + strings.Join(steps, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	recorder := newRecorder(&strays{})
	if err := newPerformance(binding, recorder).whole(scenario); err != nil {
		t.Fatal(err)
	}
	return recorder
}
