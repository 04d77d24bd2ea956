package relay

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"bindproof/adapter"
)

// onlyChunk plays ops as an intercept around a stream of one chunk, which fails where the request says so.
func onlyChunk(ops string) (string, error, *recorder) {
	list, _ := parse([]byte(ops))
	recorder := newRecorder(&strays{})
	callback := &Callback{"x", list, recorder, func(value, *ToldCodec) error { return nil }, newLatches(recorder), nil}
	proceed := func(argument json.RawMessage) (json.RawMessage, error) {
		if read, _ := parse(argument); textAt(read, "fail") != "" {
			return nil, errors.New(textAt(read, "fail"))
		}
		return json.RawMessage(`{"n":1}`), nil
	}
	chunk, err := callback.LLMStream(json.RawMessage(`{"a":1}`), nil, proceed)
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
		if cannot, ok := recorder.reason().(adapter.Inexpressible); !ok || cannot.Path != "chunks" {
			t.Errorf("%s: %v", ops, recorder.reason())
		}
	}
}
