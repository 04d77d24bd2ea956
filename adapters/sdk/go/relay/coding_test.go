package relay

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

const (
	decodeOwn = `{"op":"step","step":{"step":"decode","as":"d","codec":"own","side":"request","payload":null}}`
	encodeOwn = `{"op":"step","step":{"step":"encode","as":"e","codec":"own","annotation":{"n":1.0},"payload":null}}`
)

// sanitized plays ops as a sanitizer of requests that is told of a codec.
func sanitized(t *testing.T, lent *LentCodec, ops string) (string, *recorder) {
	t.Helper()
	recorder := newRecorder(&strays{})
	callback := newPerformance(newFake(), recorder).callback("q", mustParse(t, `{"do":[`+ops+`]}`), "do")
	told := ToldCodec{Kind: "opaque", Resolves: lent != nil, Lent: lent}
	_, _ = callback.LLMSanitizeRequest(json.RawMessage(`{}`), json.RawMessage(`1`), told, Whole)
	var lines []string
	for _, one := range recorder.log {
		lines = append(lines, string(one))
	}
	return "[" + strings.Join(lines, ",") + "]", recorder
}

func TestASanitizerAsksTheCodecThatItGets(t *testing.T) {
	lent := &LentCodec{
		Decode: func() (json.RawMessage, error) { return nil, errors.New("ill") },
		Encode: func(annotation json.RawMessage) (json.RawMessage, error) { return annotation, nil },
	}
	log, _ := sanitized(t, lent, decodeOwn+","+encodeOwn)
	wants(t, log,
		`[{"fact":"enter","callback":"q","k":0,"given":{"request":{"headers":{},"content":1},"codec":{"kind":"opaque","id":null,"resolves":true}}}`,
		`{"fact":"done","step":"d","error":{"type":"errors.errorString","message":"ill"`,
		`{"fact":"done","step":"e","value":{"n":1.0}},{"fact":"leave","callback":"q"`)
}

func TestASanitizerWithoutACodecAsksNone(t *testing.T) {
	log, _ := sanitized(t, nil, decodeOwn+","+encodeOwn)
	wants(t, log, `"resolves":false`, `{"fact":"done","step":"d","value":null},{"fact":"done","step":"e","value":null}`)
}

func TestNoOtherCodecCanBeAsked(t *testing.T) {
	named := strings.Replace(decodeOwn, `"own"`, `"openai_chat"`, 1)
	if _, recorder := sanitized(t, &LentCodec{}, named); recorder.reason() == nil {
		t.Error("a sanitizer asked another")
	}
	s, step := NewActor(newFake()), strings.TrimPrefix(strings.TrimSuffix(encodeOwn, "}"), `{"op":"step","step":`)
	wants(t, run(s, step), `{"adapter.Unsupported":"codec.asked: `)
	wants(t, run(s, intercept(decodeOwn), call), `{"adapter.Unsupported":"codec.asked: `)
}

func TestAnExecutionIsToldOfItsCodecs(t *testing.T) {
	id, request := "openai_chat", json.RawMessage(`{"headers":{},"content":1}`)
	proceed := func(json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`{}`), nil }
	told := &ToldCodecs{Request: ToldCodec{Kind: "opaque", Resolves: true}, Response: &ToldCodec{Kind: "builtin", ID: &id}}
	for codecs, wanted := range map[*ToldCodecs]string{
		nil:                                `"given":{"request":{"headers":{},"content":1}}`,
		{Request: ToldCodec{Kind: "none"}}: `"codecs":{"request":{"kind":"none","id":null,"resolves":false},"response":null}`,
		told: `"codecs":{"request":{"kind":"opaque","id":null,"resolves":true},` +
			`"response":{"kind":"builtin","id":"openai_chat","resolves":false}}`,
	} {
		recorder := newRecorder(&strays{})
		callback := newPerformance(newFake(), recorder).callback("x", mustParse(t, `{"do":[]}`), "do")
		if _, err := callback.LLMExecution(nil, request, codecs, proceed, Whole); err != nil {
			t.Error(err)
		}
		wants(t, string(recorder.log[0]), wanted)
	}
}
