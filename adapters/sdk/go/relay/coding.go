package relay

import "encoding/json"

// ToldCodec is the codec that a sanitizer is told of: of which kind, its id or nil, and the codec itself, nil where it
// cannot be had.
type ToldCodec struct {
	Kind string
	ID   *string
	Lent *LentCodec
}

// LentCodec is what a sanitizer can ask a codec until it returns: about what the sanitizer was given.
type LentCodec struct {
	// Decode returns what the codec reads of it.
	Decode func() (json.RawMessage, error)
	// Encode returns the request that the codec makes of it and an annotation; nil where it is no request.
	Encode func(annotation json.RawMessage) (json.RawMessage, error)
}

func (t ToldCodec) object() *Object {
	var id any
	if t.ID != nil {
		id = *t.ID
	}
	return object("kind", t.Kind, "id", id, "resolves", t.Lent != nil)
}

// LLMSanitizeRequest plays a sanitizer of LLM requests.
func (c *Callback) LLMSanitizeRequest(headers, content json.RawMessage, codec ToldCodec, build Reply) (json.RawMessage, error) {
	whole := request(headers, content)
	return c.with(codec).Play(textOf(object("request", whole, "codec", codec.object())), textOf(whole), build)
}

// LLMSanitizeResponse plays a sanitizer of LLM responses.
func (c *Callback) LLMSanitizeResponse(response json.RawMessage, codec ToldCodec, build Reply) (json.RawMessage, error) {
	return c.with(codec).Play(textOf(object("response", response, "codec", codec.object())), response, build)
}

// with is the callback for one entry, whose steps ask this codec.
func (c *Callback) with(codec ToldCodec) *Callback {
	entered := *c
	entered.codec = &codec
	return &entered
}

// askCodec is what a step's codec answers: the one that a sanitizer is told of, nil elsewhere.
func askCodec(step value, told *ToldCodec) (json.RawMessage, error) {
	if told == nil || textAt(step, "codec") != "own" {
		return nil, unsupported("codec.asked", "in C a program has handles of codecs, which no function asks anything")
	}
	if told.Lent == nil {
		return nothing, nil
	}
	if textAt(step, "step") == "decode" {
		return answered(told.Lent.Decode())
	}
	annotation, _ := lookup(step, "annotation")
	return answered(told.Lent.Encode(textOf(annotation)))
}
