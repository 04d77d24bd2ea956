package adapter

import (
	"encoding/json"
	"strings"
)

// Replies to a library with a C interface that are not JSON text as it stands: nil is NULL.

// NullAsNone is the Reply of what may answer with NULL.
func NullAsNone(reply json.RawMessage) (json.RawMessage, error) {
	if string(reply) == "null" {
		return nil, nil
	}
	return reply, nil
}

// Verdict is the Reply of a conditional: NULL lets pass, a text is the reason as it stands.
func Verdict(reply json.RawMessage) (json.RawMessage, error) {
	if string(reply) == "null" {
		return nil, nil
	}
	var reason string
	if json.Unmarshal(reply, &reason) != nil || strings.IndexByte(reason, 0) >= 0 {
		return nil, Inexpressible{"conditional", "C answers with a text without NUL, or with NULL"}
	}
	return json.RawMessage(reason), nil
}

// OnlyRequest is the Reply of what answers with a request, or with NULL.
func OnlyRequest(reply json.RawMessage) (json.RawMessage, error) {
	if string(reply) == "null" {
		return nil, nil
	}
	answer := asObject(reply)
	headers, _ := lookup(answer, "headers")
	_, isObject := headers.(*Object)
	if _, there := lookup(answer, "content"); !there || !isObject {
		return nil, Inexpressible{"llm.sanitize_request", "C answers with a request, made of headers and content"}
	}
	return reply, nil
}
