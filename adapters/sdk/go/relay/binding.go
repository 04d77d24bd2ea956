package relay

import (
	"encoding/json"

	"bindproof/adapter"
)

// Binding is the API calls of one binding of the suite `relay`. Errors are what the binding gave its caller, or one of
// Unsupported, Inexpressible and Fault.
type Binding interface {
	Registrar
	// Describe returns `target` and `suites` of the answer to `initialize`.
	Describe() adapter.Description
	// OnFreshScope acts a scenario on a new scope stack. It and all that it calls stay on one OS thread. act is given what
	// brings a call in flight to that stack, nil where the binding has one call at a time.
	OnFreshScope(act func(Beside)) error
	// Registered lists everything registered now, or what is of the family where that is not empty, as the binding's own
	// listing has it.
	Registered(family string) ([]Registration, error)
	// Flush waits until every event so far is delivered.
	Flush() error
	// CallLLM makes a managed LLM call and returns what the caller gets. Without a codec, decode and encode are nil.
	CallLLM(step Step, provider, decode, encode *Callback) (json.RawMessage, error)
	// Helper runs the standalone helper of the family that is the step's kind, and returns what it gives.
	Helper(step Step) (json.RawMessage, error)
}

// Registrar registers what a program hands the binding. What is registered through a plugin's context goes with the plugin:
// undo is not called there, and may be nil.
type Registrar interface {
	// RegisterSubscriber registers a subscriber that puts every event into the sink; it returns what deregisters it.
	RegisterSubscriber(step Step, sink *Sink) (undo func() error, err error)
	// Register registers what the step's family says, globally or on the step's scope, to play the callback, or to wrap
	// with it where an execution is wrapped. It returns what deregisters it; other families are Unsupported.
	Register(step Step, callback *Callback) (undo func() error, err error)
}

// Telling is what a Binding has besides whose handles say what was started.
type Telling interface {
	// Handle returns what the handle of the step says, whose kind is the step's: each member that handles of that kind have.
	Handle(step Step) (json.RawMessage, error)
}

// Propagating is what a Binding has besides whose programs can tell another process where they stand, and go on there.
type Propagating interface {
	// Capture returns what another process is told, with the names that the wire has. What of the step says which function
	// is asked: usual, rootless, rooted, whose Root is the handle of a scope, or traceparent, which gives a text.
	Capture(step Step) (json.RawMessage, error)
	// OnReceivedScope acts as OnFreshScope does, on a scope stack that is made of what Capture gave.
	OnReceivedScope(captured json.RawMessage, act func(Beside)) error
}

// Measuring is what a Binding has besides that emits metrics.
type Measuring interface {
	// Metric emits the step's measurements as a group.
	Metric(step Step) error
}

// Decide says for a gate why what is registered under a name as any of these families is to be kept out: nil lets it in.
type Decide func(families []string, name string) (reason *string, err error)

// Gating is what a Binding has besides that lets a program register gates.
type Gating interface {
	// Gate registers a gate of the step's name, about its families and its target, which asks decide and lets in what that
	// fails for. It returns what takes the gate back, and tells whether it was there.
	Gate(step Step, decide Decide) (takeBack func() (bool, error), err error)
}

// Installing is what a Binding has besides that lets a program install plugins.
type Installing interface {
	// Install installs plugins of these names, in one configuration and this order, and returns what takes all of them
	// back. When a plugin is asked to register, setUp is called once, with its name and with what registers through the
	// context that it is handed; with setUp's error the plugin fails. A name that stands twice is of one plugin that is
	// configured twice.
	Install(plugins []string, setUp func(plugin string, context Registrar) error) (takeBack func() error, err error)
}

// Beside acts on the scope stack of a scenario, on an OS thread other than the scenario's.
type Beside func(act func()) error

// Lifecycles is what a Binding has besides that has tools, scopes and the manual API.
type Lifecycles interface {
	// CallTool makes a managed tool call and returns what the caller gets: `result` and `annotation`.
	CallTool(step Step, provider *Callback) (json.RawMessage, error)
	// Start starts a scope, or a manual call, as the step's kind says, and returns its handle.
	Start(step Step) (handle any, err error)
	// End ends what was started; the step's kind is that of the start.
	End(step Step) error
	// Current is the scope that is the current one now.
	Current() (Scope, error)
	// Mark emits a mark.
	Mark(step Step) error
}

// Registration is an entry of the binding's own listing. Name is what its owner calls it, Effective what a gate is
// about. Plugin is the name of the plugin that owns it, and is empty where none does; Number says which of the components
// of that plugin it is of, counted from 1, and is 0 where the listing has none.
type Registration struct {
	Family, Name, Effective, Plugin string
	Number                          int
}

// Scope is a scope as the binding tells of it.
type Scope struct {
	UUID string `json:"uuid"`
	Name string `json:"name"`
}

// Step is what a binding needs to know of a step. What the step has not is nil, and so is null where it means that nothing
// is handed over; Request, Args, Output and Annotation may be the text null.
type Step struct {
	Family, Kind, Name                string
	Priority                          int32
	BreakChain                        bool
	Type                              string // a scope's
	Model, ToolCallID, Severity       *string
	ResponseCodec                     *string // a built-in one, nil where there is none
	Request, Args, Output, Annotation json.RawMessage
	Input, Data, DataSchema, Metadata json.RawMessage
	Measurements                      json.RawMessage // a list
	Families                          []string        // of a gate, which is about the Target
	Target                            string
	Attributes                        []string
	Timestamp                         *int64 // in microseconds since 1970
	What                              string // is captured
	Scope, Parent, Root, Of           any    // handles of what was started
}
