// Package toy is a toy of a runtime: it hands the request of a call to intercepts and then to a provider. Your binding
// goes here.
package toy

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Version is the toy's release.
const Version = "0.1.0"

// A Request is what a call asks.
type Request struct {
	Headers map[string]json.RawMessage `json:"headers"`
	Content json.RawMessage            `json:"content"`
}

// An Intercept makes the request that is asked of the call's name and request.
type Intercept func(name string, request Request) (Request, error)

// A Provider answers a request.
type Provider func(Request) (json.RawMessage, error)

// A Toy keeps intercepts.
type Toy struct{ kept []kept }

type kept struct {
	name       string
	priority   int32
	breakChain bool
	intercept  Intercept
}

// Register registers an intercept.
func (t *Toy) Register(name string, priority int32, breakChain bool, intercept Intercept) error {
	if slices.Contains(t.Registered(), name) {
		return fmt.Errorf("invalid_argument: %s is registered already", name)
	}
	t.kept = append(t.kept, kept{name, priority, breakChain, intercept})
	return nil
}

// Deregister takes an intercept back.
func (t *Toy) Deregister(name string) {
	t.kept = slices.DeleteFunc(t.kept, func(one kept) bool { return one.name == name })
}

// Registered is the names of the intercepts.
func (t *Toy) Registered() (names []string) {
	for _, one := range t.kept {
		names = append(names, one.name)
	}
	return names
}

// Call has the intercepts see the request, and answers with what the provider makes of it.
func (t *Toy) Call(name string, request Request, provider Provider) (json.RawMessage, error) {
	inOrder := slices.Clone(t.kept)
	slices.SortFunc(inOrder, func(one, other kept) int {
		// EDIT HERE: make it `cmp.Compare(other.priority, one.priority)`, and bindproof goes red
		return cmp.Or(cmp.Compare(one.priority, other.priority), cmp.Compare(one.name, other.name))
	})
	for _, one := range inOrder {
		made, err := one.intercept(name, request)
		if err != nil {
			return nil, err
		}
		request = made
		if one.breakChain {
			break
		}
	}
	own := make([]byte, 16)
	if _, err := rand.Read(own); err != nil {
		return nil, err
	}
	headers := map[string]json.RawMessage{} // those of traces, in upper or lower case, are the runtime's
	for key, value := range request.Headers {
		if lower := strings.ToLower(key); lower != "traceparent" && lower != "tracestate" {
			headers[key] = value
		}
	}
	headers["traceparent"] = json.RawMessage(fmt.Sprintf(`"00-%x-%x-01"`, own, own[8:]))
	return provider(Request{headers, request.Content})
}
