package relay

import "encoding/json"

// ToldCodec is a codec that a callback is told of: of which kind, its id or nil, and whether it can be had. A sanitizer
// is lent it too, where it can.
type ToldCodec struct {
	Kind     string
	ID       *string
	Resolves bool
	Lent     *LentCodec
}

// ToldCodecs are those that what wraps an LLM's execution is told of; of a stream there is none for the response.
type ToldCodecs struct {
	Request  ToldCodec
	Response *ToldCodec
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
	return object("kind", t.Kind, "id", id, "resolves", t.Resolves)
}

// beside puts them beside what else is given; nil where the binding tells of none.
func (t *ToldCodecs) beside(given *Object) *Object {
	if t == nil {
		return given
	}
	var response any
	if t.Response != nil {
		response = t.Response.object()
	}
	given.set("codecs", object("request", t.Request.object(), "response", response))
	return given
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
