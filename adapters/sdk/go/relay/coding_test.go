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
	told := ToldCodec{Kind: "opaque", Lent: lent}
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
