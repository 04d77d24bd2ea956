package adapter

import "encoding/json"

// Driver is what Serve serves: what drives the target.
type Driver interface {
	// Describe returns `target` and `suites` of the answer to `initialize`.
	Describe() Description
	// Run acts one scenario out, which is a JSON object, and returns the observation as JSON on one line. An error is one of
	// Unsupported, Inexpressible and Fault; any other is taken for a Fault.
	Run(suite string, scenario json.RawMessage) (observation json.RawMessage, err error)
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
	Edition      string   `json:"edition,omitempty"` // of a target whose releases no edition lists
	Capabilities []string `json:"capabilities"`
}
