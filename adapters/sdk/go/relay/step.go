package relay

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
)

// plain reads the parts of a step that a binding is given: values of finished steps and handles of what was started are
// put where the step refers to them.
func (p *performance) plain(step value) (plain Step, err error) {
	plain = Step{
		Family: textAt(step, "family"), Kind: textAt(step, "kind"), Name: textAt(step, "name"), Type: textAt(step, "type"),
		Target: textAt(step, "target"), What: textAt(step, "what"),
		Model: textMember(step, "model"), ToolCallID: textMember(step, "tool_call_id"),
		Severity: textMember(step, "severity"), ResponseCodec: textMember(step, "response_codec"),
	}
	broken, _ := lookup(step, "break_chain")
	plain.BreakChain, _ = broken.(bool)
	if priority, there := lookup(step, "priority"); there {
		n, err := strconv.ParseInt(string(textOf(priority)), 10, 64)
		if err != nil || n < math.MinInt32 || n > math.MaxInt32 {
			return plain, inexpressible("priority", "a priority is a number of 32 bits")
		}
		plain.Priority = int32(n)
	}
	if timestamp, there := lookup(step, "timestamp"); there && timestamp != nil {
		n, err := strconv.ParseInt(string(textOf(timestamp)), 10, 64)
		if err != nil {
			return plain, inexpressible("timestamp", "a time is a number of 64 bits")
		}
		plain.Timestamp = &n
	}
	plain.Attributes, plain.Families = textsAt(step, "attributes"), textsAt(step, "families")
	if err := p.handles(step, &plain); err != nil {
		return plain, err
	}
	return plain, p.values(step, &plain)
}

// values reads the members that hold JSON; of those that may be handed over or not, null is nil.
func (p *performance) values(step value, plain *Step) error {
	for _, one := range []struct {
		key                string
		place              *json.RawMessage
		resolved, optional bool
	}{
		{"request", &plain.Request, true, false},
		{"args", &plain.Args, true, false},
		{"output", &plain.Output, true, false},
		{"annotation", &plain.Annotation, false, false},
		{"input", &plain.Input, true, true},
		{"data", &plain.Data, false, true},
		{"data_schema", &plain.DataSchema, false, true},
		{"metadata", &plain.Metadata, false, true},
		{"measurements", &plain.Measurements, false, true},
	} {
		item, there := lookup(step, one.key)
		if there && one.resolved {
			var err error
			if item, err = resolve(item, p.recorder.known); err != nil {
				return unresolved(step, err)
			}
		}
		if there && (item != nil || !one.optional) {
			*one.place = textOf(item)
		}
	}
	return nil
}

func unresolved(step value, err error) error {
	var missing placeError
	if errors.As(err, &missing) {
		return faultf("step '%s': %s", textAt(step, "as"), missing)
	}
	return err
}

// handles finds what the step refers to by the id of the step that started it.
func (p *performance) handles(step value, plain *Step) (err error) {
	if scope := textAt(step, "scope"); scope != "" && scope != "global" {
		if _, plain.Scope, err = p.handle(step, scope); err != nil {
			return err
		}
	}
	if parent := textAt(step, "parent"); parent != "" {
		if _, plain.Parent, err = p.handle(step, parent); err != nil {
			return err
		}
	}
	if root := textAt(step, "root"); root != "" {
		if _, plain.Root, err = p.handle(step, root); err != nil {
			return err
		}
	}
	if kind := textAt(step, "step"); kind == "end" || kind == "handle" {
		plain.Kind, plain.Of, err = p.handle(step, textAt(step, "of"))
	}
	return err
}

func (p *performance) handle(step value, of string) (kind string, handle any, err error) {
	found, there := p.started.Load(of)
	if !there {
		return "", nil, p.missing(step, of, "started nothing")
	}
	one := found.(started)
	return one.kind, one.handle, nil
}

func textsAt(item value, key string) (texts []string) {
	for _, one := range listOf(item, key).items {
		texts = append(texts, one.(string))
	}
	return texts
}

func textMember(item value, key string) *string {
	found, _ := lookup(item, key)
	if text, ok := found.(string); ok {
		return &text
	}
	return nil
}
