package adapter

import "fmt"

// ScriptedError is what the op `raise` makes a callback fail with; its text is the scenario's own marker.
type ScriptedError struct{ Text string }

func (e *ScriptedError) Error() string { return e.Text }

// A stop ends a scenario that cannot be acted out; its type says whose matter that is.
type stop interface {
	error
	stops()
}

// Unsupported stops a scenario that needs a capability which this adapter lacks.
type Unsupported struct{ Capability, Reason string }

// Inexpressible stops a scenario that asks for what the binding's language or types cannot say; Path names the place.
type Inexpressible struct{ Path, Reason string }

// Fault stops a scenario where the adapter, its set-up or the scenario's program is at fault, never the binding.
type Fault struct{ Reason string }

func (s Unsupported) Error() string   { return s.Capability + ": " + s.Reason }
func (s Inexpressible) Error() string { return s.Path + ": " + s.Reason }
func (s Fault) Error() string         { return s.Reason }

func (Unsupported) stops()   {}
func (Inexpressible) stops() {}
func (Fault) stops()         {}

func faultf(format string, parts ...any) Fault { return Fault{fmt.Sprintf(format, parts...)} }
