package main

import (
	"encoding/json"

	upstream "github.com/NVIDIA/NeMo-Relay/go/nemo_relay"
)

// What is seen, with every key present: the package's own structs leave unset ones out.

type outcome struct {
	Request       upstream.LLMRequestDTO                  `json:"request"`
	Annotated     json.RawMessage                         `json:"annotated_request"`
	Marks         []mark                                  `json:"pending_marks"`
	Contributions *[]upstream.LLMOptimizationContribution `json:"optimization_contributions,omitempty"`
}

type mark struct {
	Name            string               `json:"name"`
	Category        *string              `json:"category"`
	CategoryProfile json.RawMessage      `json:"category_profile"`
	Data            json.RawMessage      `json:"data"`
	DataSchema      *upstream.DataSchema `json:"data_schema"`
	Metadata        json.RawMessage      `json:"metadata"`
	Severity        *string              `json:"severity"`
}

func markOf(said upstream.PendingMarkSpec) mark {
	seen := mark{said.Name, said.Category, said.CategoryProfile, said.Data, said.DataSchema, said.Metadata, nil}
	if severity := string(said.Severity); severity != "" {
		seen.Severity = &severity
	}
	return seen
}
