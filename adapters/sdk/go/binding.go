package adapter

import "encoding/json"

// Binding is the API calls of one binding of the suite `relay`. Errors are what the binding gave its caller, or one of
// Unsupported, Inexpressible and Fault.
type Binding interface {
	// Describe returns `target` and `suites` of the answer to `initialize`.
	Describe() Description
	// OnFreshScope acts a scenario on a new scope stack. It and all that it calls stay on one OS thread.
	OnFreshScope(act func()) error
	// Registered lists everything registered now, from the binding's own listing.
	Registered() ([]Registration, error)
	// Flush waits until every event so far is delivered.
	Flush() error
	// RegisterSubscriber registers a subscriber that puts every event into the sink; it returns what deregisters it.
	RegisterSubscriber(step Step, sink *Sink) (undo func() error, err error)
	// RegisterLLMRequest registers an LLM request intercept that plays the callback; it returns what deregisters it.
	RegisterLLMRequest(step Step, callback *Callback) (undo func() error, err error)
	// CallLLM makes a managed LLM call and returns what the caller gets. Without a codec, decode and encode are nil.
	CallLLM(step Step, provider, decode, encode *Callback) (json.RawMessage, error)
	// HelperLLMRequest runs the standalone helper and returns its outcome.
	HelperLLMRequest(step Step) (json.RawMessage, error)
}

// Description is what an adapter says of its target.
type Description struct {
	Target Target           `json:"target"`
	Suites map[string]Suite `json:"suites"`
}

// Target is what is driven.
type Target struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Language string `json:"language"`
	Runtime  string `json:"runtime"`
}

// Suite is how a target is driven in one suite.
type Suite struct {
	Dialect      string   `json:"dialect"`
	Capabilities []string `json:"capabilities"`
}

// Registration is an entry of the binding's own listing.
type Registration struct {
	Family string `json:"family"`
	Name   string `json:"name"`
}

// Step is what a binding needs to know of a step; Request is nil where the step has none.
type Step struct {
	Name       string
	Priority   int32
	BreakChain bool
	Model      *string
	Request    json.RawMessage
}
