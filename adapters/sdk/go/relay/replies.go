package relay

import (
	"encoding/json"
	"strings"
)

// Replies to a library with a C interface that are not JSON text as it stands: nil is NULL.

// NullAsNone is the Reply of what may answer with NULL.
func NullAsNone(reply json.RawMessage) (json.RawMessage, error) { return nullOr(reply, Whole) }

// Verdict is the Reply of a conditional: NULL lets pass, a text is the reason as it stands.
func Verdict(reply json.RawMessage) (json.RawMessage, error) { return nullOr(reply, bareText) }

// OnlyRequest is the Reply of what answers with a request, or with NULL.
func OnlyRequest(reply json.RawMessage) (json.RawMessage, error) { return nullOr(reply, bareRequest) }

// nullOr builds anything but null, which is NULL.
func nullOr(reply json.RawMessage, build Reply) (json.RawMessage, error) {
	if string(reply) == "null" {
		return nil, nil
	}
	return build(reply)
}

func bareText(reply json.RawMessage) (json.RawMessage, error) {
	var text string
	if json.Unmarshal(reply, &text) != nil || strings.IndexByte(text, 0) >= 0 {
		return nil, inexpressible("conditional", "C answers with a text without NUL, or with NULL")
	}
	return json.RawMessage(text), nil
}

func bareRequest(reply json.RawMessage) (json.RawMessage, error) {
	answer := asObject(reply)
	headers, _ := lookup(answer, "headers")
	_, isObject := headers.(*Object)
	if _, there := lookup(answer, "content"); !there || !isObject {
		return nil, inexpressible("llm.sanitize_request", "C answers with a request, made of headers and content")
	}
	return reply, nil
}
