package relay

import (
	"fmt"

	"bindproof/adapter"
)

// ScriptedError is what the op `raise` makes a callback fail with; its text is the scenario's own marker.
type ScriptedError struct{ Text string }

func (e *ScriptedError) Error() string { return e.Text }

func unsupported(capability, reason string) adapter.Unsupported {
	return adapter.Unsupported{Capability: capability, Reason: reason}
}

func inexpressible(path, reason string) adapter.Inexpressible {
	return adapter.Inexpressible{Path: path, Reason: reason}
}

func faultf(format string, parts ...any) adapter.Fault {
	return adapter.Fault{Reason: fmt.Sprintf(format, parts...)}
}
