package relay

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

// sanitizing registers a Sanitizer of a kind, which leaves the payload, its first texts, as it is.
func sanitizing(t *testing.T, kind string, look func(lent *LentCodec, told []string)) {
	t.Helper()
	registered(t, kind, "q", Sanitizer(func(lent *LentCodec, given ...string) (json.RawMessage, error) {
		payload := given[:len(given)-2]
		look(lent, given[len(payload):])
		if len(payload) == 1 {
			return json.RawMessage(payload[0]), nil
		}
		return json.RawMessage(`{"headers":` + payload[0] + `,"content":` + payload[1] + `}`), nil
	}))
}

func TestASanitizerOfRequestsIsLentTheCodecOfTheCall(t *testing.T) {
	nothingKept(t)
	var seen []string
	sanitizing(t, "llm_sanitize_request_guardrail", func(lent *LentCodec, told []string) {
		decoded, err := lent.Decode()
		encoded, other := lent.Encode(json.RawMessage(`{"messages":[{"role":"user","content":"hid"}]}`))
		if err = errors.Join(err, other); err != nil {
			t.Error(err)
		}
		var failed Failure
		if _, err := lent.Encode(json.RawMessage(`7`)); !errors.As(err, &failed) || failed == "" {
			t.Errorf("got %v", err)
		}
		seen = append(told, string(decoded), string(encoded))
	})
	call := LLMCall{Lead: Lead{Name: "gpt"}, Request: json.RawMessage(request), Provider: always(`1`)}
	call.Codec = &Codec{
		Decode: always(`{"messages":[]}`),
		Encode: func(given ...string) (json.RawMessage, error) { return json.RawMessage(given[0]), nil },
	}
	if _, err := call.Execute(); err != nil || Flush() != nil {
		t.Error(err)
	}
	hidden := `{"headers":{"h":"1"},"content":{"messages":[{"content":"hid","role":"user"}]}}`
	if want := []string{"opaque", "null", `{"messages":[]}`, hidden}; !slices.Equal(seen, want) {
		t.Errorf("got %q, want %q", seen, want)
	}
}

func TestASanitizerOfResponsesIsLentTheCodecThatReadsIt(t *testing.T) {
	nothingKept(t)
	var seen []string
	sanitizing(t, "llm_sanitize_response_guardrail", func(lent *LentCodec, told []string) {
		decoded, err := lent.Decode()
		seen = append(told, string(decoded))
		if err != nil {
			seen = append(told, err.Error())
		}
	})
	name := "openai_chat"
	for answer, want := range map[string]string{`{"id":"i","choices":[]}`: `"id":"i"`, `"hi"`: "invalid type: string"} {
		call := LLMCall{Lead: Lead{Name: "gpt"}, Request: json.RawMessage(request), Provider: always(answer)}
		call.ResponseCodec = &name
		if _, err := call.Execute(); err != nil || Flush() != nil {
			t.Error(err)
		}
		if len(seen) != 3 || seen[0] != "builtin" || seen[1] != name || !strings.Contains(seen[2], want) {
			t.Errorf("got %q, want %s", seen, want)
		}
	}
}

func TestWithoutACodecASanitizerIsLentNone(t *testing.T) {
	nothingKept(t)
	none := 0
	for _, kind := range []string{"llm_sanitize_request_guardrail", "llm_sanitize_response_guardrail"} {
		sanitizing(t, kind, func(lent *LentCodec, told []string) {
			if lent == nil && told[0] == "none" {
				none++
			}
		})
	}
	if _, err := called(always(`1`)); err != nil || Flush() != nil || none != 2 {
		t.Errorf("%v; %d without a codec", err, none)
	}
}
