package relay

import (
	"encoding/json"
	"fmt"
)

// Request is an LLM request, as the library's two accessors give it.
type Request struct {
	Headers json.RawMessage `json:"headers"`
	Content json.RawMessage `json:"content"`
}

// Interception is what a request intercept is given; without a codec Annotated is nil.
type Interception struct {
	Name      string          `json:"name"`
	Request   Request         `json:"request"`
	Annotated json.RawMessage `json:"annotated_request"`
}

// Outcome is what a request intercept answers with.
type Outcome struct {
	Request      Request         `json:"request"`
	Annotated    json.RawMessage `json:"annotated_request"`
	PendingMarks []Mark          `json:"pending_marks"`
}

// Mark is a mark that the library is asked to emit.
type Mark struct {
	Name            string          `json:"name"`
	Category        *string         `json:"category,omitempty"`
	CategoryProfile json.RawMessage `json:"category_profile,omitempty"`
	Data            json.RawMessage `json:"data,omitempty"`
	Metadata        json.RawMessage `json:"metadata,omitempty"`
	DataSchema      json.RawMessage `json:"data_schema,omitempty"`
	Severity        *string         `json:"severity,omitempty"`
}

// Encoding is what a codec's encode is given.
type Encoding struct {
	Annotated json.RawMessage `json:"annotated_request"`
	Original  Request         `json:"original"`
}

// Registration is an entry of the library's listing.
type Registration struct {
	Kind          string `json:"kind"`
	EffectiveName string `json:"effective_name"`
}

// Answers are JSON text, not structs: the library is to judge what a callback says, not Go's types.
type (
	// Intercept answers with an outcome.
	Intercept func(Interception) (json.RawMessage, error)
	// Provider is given the request as the library wrote it.
	Provider func(request json.RawMessage) (json.RawMessage, error)
	// Subscriber is given each event as the library wrote it.
	Subscriber func(event json.RawMessage)
)

// Codec translates requests: Decode answers with an annotation, Encode with the content of the request alone.
type Codec struct {
	Decode func(Request) (json.RawMessage, error)
	Encode func(Encoding) (json.RawMessage, error)
}

// Call is a managed call; Model and Codec may be nil.
type Call struct {
	Name     string
	Request  json.RawMessage
	Model    *string
	Provider Provider
	Codec    *Codec
}

// Error is a status that is not OK, with what the library said about it.
type Error struct {
	Status int
	Text   string
}

var statusNames = []string{
	"OK", "ALREADY_EXISTS", "NOT_FOUND", "SCOPE_STACK_EMPTY", "GUARDRAIL_REJECTED", "INTERNAL", "NULL_POINTER",
	"INVALID_JSON", "INVALID_UTF8", "INVALID_ARG",
}

// Code returns the status, named as in the header without its prefix.
func (e *Error) Code() string {
	if e.Status < 0 || e.Status >= len(statusNames) {
		return fmt.Sprint(e.Status)
	}
	return statusNames[e.Status]
}

func (e *Error) Error() string {
	if e.Text == "" {
		return e.Code() + ", without a text"
	}
	return e.Text
}
