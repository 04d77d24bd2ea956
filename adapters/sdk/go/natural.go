package adapter

import "encoding/json"

// Decoded returns the natural reply of a codec's decode, the plain chat form of a request: its messages, and its model
// where it has one.
func Decoded(content json.RawMessage) json.RawMessage {
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

// Encoded returns the natural content of a codec's encode: the original content with the annotation's members laid
// over it.
func Encoded(annotated, original json.RawMessage) json.RawMessage {
	content := asObject(original)
	over := asObject(annotated)
	for _, key := range over.keys {
		content.set(key, over.values[key])
	}
	return textOf(content)
}

// OnlyContent is the Reply of an encode that answers with the content of the request alone: any other change of the
// natural reply is inexpressible.
func OnlyContent(natural any) Reply {
	return func(reply json.RawMessage) (json.RawMessage, error) {
		if content, ok := only(reply, "content", natural); ok {
			return content, nil
		}
		return nil, Inexpressible{"encode", "a codec's encode answers with the content alone"}
	}
}

// only returns the member `name` of an edited reply where that is all that differs from the natural one: the same keys,
// and the same values but for that member.
func only(reply json.RawMessage, name string, natural any) (json.RawMessage, bool) {
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
