package relay

import "encoding/json"

// decoded returns the natural reply of a codec's decode, the plain chat form of a request: its messages, and its model
// where it has one.
func decoded(content json.RawMessage) json.RawMessage {
	plain := newObject()
	body := asObject(content)
	messages, there := body.get("messages")
	if !there || empty(messages) {
		messages = &List{}
	}
	plain.set("messages", messages)
	if model, there := body.get("model"); there {
		plain.set("model", model)
	}
	return textOf(plain)
}

// encoded returns the natural content of a codec's encode: the original content with the annotation's members laid
// over it.
func encoded(annotated, original json.RawMessage) json.RawMessage {
	content := asObject(original)
	over := asObject(annotated)
	for _, key := range over.keys {
		content.set(key, over.values[key])
	}
	return textOf(content)
}

// orNull is a JSON text; nil is null.
func orNull(text json.RawMessage) json.RawMessage {
	if text == nil {
		return nothing
	}
	return text
}

// toolOutcome is the reply that an answer to `next` makes of a tool's execution; without one there is no result.
func toolOutcome(answer json.RawMessage) json.RawMessage {
	outcome := asObject(answer)
	if answer == nil {
		outcome = object("result", nil, "annotation", nil)
	}
	outcome.set("pending_marks", &List{})
	return textOf(outcome)
}

// ToolResult is a tool's result with its annotation, which is null where the binding leaves it out.
func ToolResult(text json.RawMessage) json.RawMessage {
	result := asObject(text)
	if _, there := result.get("annotation"); !there {
		result.set("annotation", nil)
	}
	return textOf(result)
}

// onlyContent is the Reply of an encode that answers with the content of the request alone: any other change of the
// natural reply is inexpressible.
func onlyContent(natural json.RawMessage) Reply {
	return func(reply json.RawMessage) (json.RawMessage, error) {
		if content, ok := only(reply, "content", natural); ok {
			return content, nil
		}
		return nil, inexpressible("encode", "a codec's encode answers with the content alone")
	}
}

// only returns the member `name` of an edited reply where that is all that differs from the natural one: the same keys,
// and the same values but for that member.
func only(reply json.RawMessage, name string, natural json.RawMessage) (json.RawMessage, bool) {
	before, err := valueOf(natural)
	if err != nil {
		return nil, false
	}
	asked, edited := before.(*Object), asObject(reply)
	only, there := edited.get(name)
	if !there || len(edited.keys) != len(asked.keys) {
		return nil, false
	}
	for _, key := range asked.keys {
		if key != name && !equal(edited.values[key], asked.values[key]) {
			return nil, false
		}
	}
	return textOf(only), true
}

func asObject(text json.RawMessage) *Object {
	if read, err := valueOf(text); err == nil {
		if object, ok := read.(*Object); ok {
			return object
		}
	}
	return newObject()
}

func empty(item value) bool {
	switch v := item.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case json.Number:
		n, err := v.Float64()
		return err == nil && n == 0
	case *List:
		return len(v.items) == 0
	case *Object:
		return len(v.keys) == 0
	}
	return false
}
