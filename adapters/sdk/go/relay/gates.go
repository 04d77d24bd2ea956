package relay

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// A gate is one that a step registered: what takes it back, and what it was given, each thing once. It may be asked beside
// the program.
type gate struct {
	mu       sync.Mutex
	given    []value
	takeBack func() (bool, error)
}

// note keeps what the gate is asked, unless it was asked that before. How often it is asked is open.
func (g *gate) note(asked *Object) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.ContainsFunc(g.given, func(one value) bool { return string(textOf(one)) == string(textOf(asked)) }) {
		g.given = append(g.given, asked)
	}
}

// askedOf is what the gate of a step is asked. By the effective name of what a plugin registered it is asked about
// what the step speaks of: how the binding makes such names is its own affair.
func askedOf(step value, effective string, families []string, name string) *Object {
	names, sorted := &List{}, slices.Clone(families)
	slices.Sort(sorted)
	for _, family := range sorted {
		names.items = append(names.items, family)
	}
	if plugin := textMember(step, "plugin"); plugin != nil && name == effective {
		return object("families", names, "name", textAt(step, "target"), "plugin", *plugin)
	}
	return object("families", names, "name", name)
}

// target is the name that a gate is registered about: of what a plugin registered, what the binding's listing says.
func (p *performance) target(step value, plain Step) (string, error) {
	plugin := textMember(step, "plugin")
	if plugin == nil {
		return plain.Target, nil
	}
	if len(plain.Families) != 1 {
		return "", faultf("step '%s': a gate about what a plugin registered has one family", textAt(step, "as"))
	}
	listed, err := p.binding.Registered(plain.Families[0])
	if err != nil {
		return "", err
	}
	for _, one := range listed {
		if one.Plugin == *plugin && one.Name == plain.Target {
			return one.Effective, nil
		}
	}
	return "", fmt.Errorf("nothing is listed as '%s' of the plugin '%s'", plain.Target, *plugin)
}

// gate registers a gate, which decides as the step says.
func (p *performance) gate(step value, plain Step) error {
	binding, ok := p.binding.(Gating)
	if !ok {
		return unsupported("gate", "a program registers no gates here")
	}
	effective, err := p.target(step, plain)
	if err != nil {
		return err
	}
	plain.Target = effective
	reason, raises, one := textMember(step, "reason"), textMember(step, "raises"), &gate{}
	takeBack, err := binding.Gate(plain, func(families []string, name string) (*string, error) {
		one.note(askedOf(step, effective, families, name))
		if raises != nil {
			return nil, errors.New(*raises)
		}
		return reason, nil
	})
	if err == nil {
		one.takeBack = takeBack
		p.gates[textAt(step, "as")] = one
		p.undo = append(p.undo, func() error { _, err := takeBack(); return err })
	}
	return err
}

// ungate takes a gate back; its value is whether it was there, and what it was given.
func (p *performance) ungate(step value) (json.RawMessage, error) {
	one, there := p.gates[textAt(step, "of")]
	if !there {
		return nil, p.missing(step, textAt(step, "of"), "registered nothing")
	}
	was, err := one.takeBack()
	if err != nil {
		return nil, err
	}
	one.mu.Lock()
	defer one.mu.Unlock()
	return textOf(object("was", was, "given", &List{one.given})), nil
}
