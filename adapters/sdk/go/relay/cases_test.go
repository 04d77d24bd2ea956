package relay

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bindproof/adapter"
)

// A table is a file of cases that the SDKs of all languages run.
type table struct {
	Steps map[string]json.RawMessage
	Cases []struct {
		Name, Lacks string
		Only, Steps []string
		Instead     map[string]outcome
		outcome
	}
}

type outcome struct {
	Log   []any
	Left  []map[string]string
	Stops map[string]string
}

func TestTheCasesOfAllSDKs(t *testing.T) {
	files, _ := filepath.Glob("../../cases/relay/*.json")
	if len(files) == 0 {
		t.Fatal("there are none")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		var read table
		if err = errors.Join(err, json.Unmarshal(text, &read)); err != nil {
			t.Fatal(err)
		}
		for _, one := range read.Cases {
			expected, other := one.Instead["go"]
			if !other {
				expected = one.outcome
			}
			steps := make([]string, len(one.Steps))
			for i, name := range one.Steps {
				steps[i] = string(read.Steps[name])
			}
			if one.Only == nil || slices.Contains(one.Only, "go") {
				t.Run(filepath.Base(file)+": "+one.Name, func(t *testing.T) { holds(t, one.Lacks, steps, expected) })
			}
		}
	}
}

// holds fails where a toy does not do what the case says of this SDK.
func holds(t *testing.T, lacks string, steps []string, expected outcome) {
	scenario := json.RawMessage(`{"steps":[` + strings.Join(steps, ",") + `]}`)
	whole := &toy{}
	text, err := NewActor(lacking(lacks, whole)).Run("relay", scenario)
	if err != nil || expected.Stops != nil {
		if !stopsAs(err, expected.Stops) {
			t.Fatalf("stops by %v, wants %v", err, expected.Stops)
		}
		return
	}
	var seen struct {
		Log   []map[string]any
		Left  []map[string]string
		Stray []any
	}
	if err := json.Unmarshal(text, &seen); err != nil {
		t.Fatal(err)
	}
	log := make([]any, len(seen.Log))
	for i, record := range seen.Log {
		log[i] = record
		if i < len(expected.Log) {
			log[i] = like(record, expected.Log[i])
		}
	}
	if wanted := append(slices.Clone(expected.Log), map[string]any{"fact": "settled"}); !reflect.DeepEqual(log, wanted) {
		t.Errorf("got\n%s, wants\n%s", lines(log), lines(wanted))
	}
	if !slices.EqualFunc(seen.Left, expected.Left, maps.Equal) || len(seen.Stray) > 0 {
		t.Errorf("left %v, stray %v", seen.Left, seen.Stray)
	}
	if whole.plugins != 0 {
		t.Errorf("%d plugins are installed in the end", whole.plugins)
	}
}

func stopsAs(err error, wanted map[string]string) bool {
	var unsupported adapter.Unsupported
	var inexpressible adapter.Inexpressible
	var fault adapter.Fault
	switch {
	case errors.As(err, &unsupported):
		return wanted["unsupported"] == unsupported.Capability
	case errors.As(err, &inexpressible):
		return wanted["inexpressible"] == inexpressible.Path
	case errors.As(err, &fault):
		return wanted["fault"] != "" && strings.Contains(fault.Reason, wanted["fault"])
	}
	return false
}

// like is as much of a record as the expected one says. An error crosses this boundary as a text: whose it is nobody knows.
func like(record map[string]any, expected any) any {
	members, ok := expected.(map[string]any)
	if !ok {
		for _, who := range []string{"callback", "step", "subscriber"} {
			if name, there := record[who]; there {
				return record["fact"].(string) + " " + name.(string)
			}
		}
		return record["fact"]
	}
	there := picked(record, members)
	err, failed := there["error"].(map[string]any)
	if wanted, fails := members["error"].(map[string]any); failed && fails {
		there["error"] = picked(err, wanted)
		if _, named := wanted["same_as"]; named && err["same_as"] == nil {
			there["error"].(map[string]any)["same_as"] = wanted["same_as"]
		}
	}
	return there
}

func picked(from, keys map[string]any) map[string]any {
	there := map[string]any{}
	for key := range keys {
		if item, has := from[key]; has {
			there[key] = item
		}
	}
	return there
}

func lines(records []any) string {
	var text strings.Builder
	for _, one := range records {
		line, _ := json.Marshal(one)
		text.Write(append(line, '\n'))
	}
	return text.String()
}
