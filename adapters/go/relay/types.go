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

// Registration is an entry of the library's listing.
type Registration struct {
	Kind          string `json:"kind"`
	LocalName     string `json:"local_name"`
	EffectiveName string `json:"effective_name"`
	Owner         Owner  `json:"owner"`
}

// Owner is whose a registration is; what is not a plugin's has its kind alone.
type Owner struct {
	Kind             string  `json:"kind"`
	PluginKind       *string `json:"plugin_kind"`
	ComponentOrdinal *uint32 `json:"component_ordinal"`
}

// Callbacks are given texts as the library wrote them, in the order of its header: a name is plain, all else is JSON, NULL
// being null. A request is two texts, its headers and its content. Answers are JSON text, not structs: the library is to
// judge what a callback says, not Go's types. A nil answer is NULL.
type (
	// Callback is what is registered for most kinds.
	Callback func(given ...string) (json.RawMessage, error)
	// Around is what is registered where an execution is wrapped; next goes on with it. That of an LLM is given the request,
	// then the call's name, and of the codec of its request, and of its response where that is no stream, the kind, the id
	// and whether it can be had; releases before 0.10 tell the request alone. That of a tool is given what ToolContext says.
	Around func(next Next, given ...string) (json.RawMessage, error)
	// Next goes on with an argument; its error is a Failure.
	Next func(argument json.RawMessage) (json.RawMessage, error)
	// Subscriber is given each event.
	Subscriber func(event json.RawMessage)
)

// Codec translates requests: Decode is given a request and answers with an annotation; Encode is given an annotation and
// a request, and answers with the content of the request alone.
type Codec struct{ Decode, Encode Callback }

// Registering is where something is registered: its kind as the library's listing has it, and its name. Scope is nil, or
// the uuid of the scope that is to own it; Plugin is nil, or that through which a plugin registers.
type Registering struct {
	Kind, Name string
	Scope      *string
	Plugin     *PluginContext
	Priority   int32
	BreakChain bool
}

// Lead is what most calls take in one piece; all but the name may be nil. Data is the program's own.
type Lead struct {
	Name           string
	Parent         *Scope
	Attributes     []string
	Data, Metadata json.RawMessage
	Timestamp      *int64 // in microseconds since 1970; a managed call takes none
}

// LLMCall is an LLM call; Model, Codec and ResponseCodec may be nil. Provider and the codecs are those of a managed one.
type LLMCall struct {
	Lead
	Request  json.RawMessage
	Model    *string
	Provider Callback
	Codec    *Codec

	// ResponseCodec names a codec of the library's that reads the answer; a stream has none.
	ResponseCodec *string
}

// StreamCall is an LLM call whose answer is a stream: of one chunk, which is what its provider answers. Collector is given
// it before the reader, Finalizer is asked at the end. The library tells neither whose they are: those that it asks are
// those of the stream that was opened last.
type StreamCall struct {
	LLMCall
	Collector func(chunk json.RawMessage)
	Finalizer func() (json.RawMessage, error)
}

// ToolCall is a tool call; ID may be nil. Provider is that of a managed one.
type ToolCall struct {
	Lead
	Args     json.RawMessage
	ID       *string
	Provider Callback
}

// Mark is a mark that is emitted; all but its name may be nil.
type Mark struct {
	Lead
	DataSchema json.RawMessage
	Severity   *int32
}

// Metric is a group of measurements, which are one JSON text; Parent, Metadata and Timestamp may be nil.
type Metric struct {
	Lead
	Measurements json.RawMessage
}

// Failure is what going on with an execution, or a LentCodec, failed with: the library's text of it.
type Failure string

func (f Failure) Error() string { return string(f) }

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
