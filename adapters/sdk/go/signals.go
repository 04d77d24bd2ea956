package adapter

// Stop ends a scenario that cannot be acted out; its type says whose matter that is.
type Stop interface {
	error
	stops()
}

// Unsupported stops a scenario that needs a capability which this adapter lacks.
type Unsupported struct {
	Capability string `json:"capability"`
	Reason     string `json:"reason"`
}

// Inexpressible stops a scenario that asks for what the binding's language or types cannot say; Path names the place.
type Inexpressible struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Fault stops a scenario where the adapter, its set-up or the scenario's program is at fault, never the binding.
type Fault struct{ Reason string }

func (s Unsupported) Error() string   { return s.Capability + ": " + s.Reason }
func (s Inexpressible) Error() string { return s.Path + ": " + s.Reason }
func (s Fault) Error() string         { return s.Reason }

func (Unsupported) stops()   {}
func (Inexpressible) stops() {}
func (Fault) stops()         {}
