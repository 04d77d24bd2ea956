package main

import (
	"encoding/json"
	"slices"

	"bindproof/adapter"
	suite "bindproof/adapter/relay"
	"bindproof/go/relay"
)

// severities are in the order of the library's numbers.
var severities = []string{"trace", "debug", "info", "warn", "error"}

func (binding) Start(step suite.Step) (handle any, err error) {
	switch step.Kind {
	case "scope":
		handle, err = relay.PushScope(lead(step), slices.Index(relay.ScopeTypes, step.Type), step.Input)
	case "llm":
		handle, err = relay.LLMCall{Lead: lead(step), Request: step.Request, Model: step.Model}.Start()
	default:
		handle, err = relay.ToolCall{Lead: lead(step), Args: step.Args, ID: step.ToolCallID}.Start()
	}
	return handle, expressible(err)
}

func (binding) End(step suite.Step) error {
	switch of := step.Of.(type) {
	case *relay.Scope:
		output := step.Output
		if string(output) == "null" {
			output = nil
		}
		return of.Pop(output, step.Metadata, step.Timestamp)
	case *relay.LLM:
		if string(step.Annotation) != "null" || step.ResponseCodec != nil {
			return adapter.Inexpressible{
				Path: "end.annotation", Reason: "nemo_relay_llm_call_end takes neither an annotation nor a codec",
			}
		}
		return of.End(step.Output, ended(step))
	default:
		result, err := json.Marshal(map[string]json.RawMessage{"result": step.Output, "annotation": step.Annotation})
		if err != nil {
			return err
		}
		return of.(*relay.Tool).End(result, ended(step))
	}
}

// ended is what both kinds of calls may be ended with besides.
func ended(step suite.Step) relay.Ended {
	return relay.Ended{Data: step.Data, Metadata: step.Metadata, Timestamp: step.Timestamp}
}

func (binding) Current() (suite.Scope, error) {
	scope, err := relay.CurrentScope()
	if err != nil {
		return suite.Scope{}, err
	}
	said := scope.Said()
	return suite.Scope{UUID: said.UUID, Name: said.Name}, nil
}

// Handle has no data and no metadata of a call, whose handles have neither.
func (binding) Handle(step suite.Step) (json.RawMessage, error) {
	said := step.Of.(interface{ Said() relay.Said }).Said()
	members := map[string]any{
		"uuid": said.UUID, "parent_uuid": said.ParentUUID, "name": said.Name, "attributes": said.Attributes,
	}
	if step.Kind == "scope" {
		members["type"], members["data"], members["metadata"] = said.Type, said.Data, said.Metadata
	}
	return json.Marshal(members)
}

func (binding) Mark(step suite.Step) error {
	mark := relay.Mark{Lead: lead(step), DataSchema: step.DataSchema}
	if step.Severity != nil {
		number := int32(slices.Index(severities, *step.Severity))
		mark.Severity = &number
	}
	return expressible(mark.Emit())
}

func (binding) Metric(step suite.Step) error {
	return expressible(relay.Metric{Lead: lead(step), Measurements: step.Measurements}.Emit())
}
