package relay

import (
	"encoding/json"
	"errors"
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
func (g *gate) note(families []string, name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	names, sorted := &List{}, slices.Clone(families)
	slices.Sort(sorted)
	for _, family := range sorted {
		names.items = append(names.items, family)
	}
	asked := object("families", names, "name", name)
	if !slices.ContainsFunc(g.given, func(one value) bool { return string(textOf(one)) == string(textOf(asked)) }) {
		g.given = append(g.given, asked)
	}
}

// gate registers a gate, which decides as the step says.
func (p *performance) gate(step value, plain Step) error {
	binding, ok := p.binding.(Gating)
	if !ok {
		return unsupported("gate", "a program registers no gates here")
	}
	reason, raises, one := textMember(step, "reason"), textMember(step, "raises"), &gate{}
	takeBack, err := binding.Gate(plain, func(families []string, name string) (*string, error) {
		one.note(families, name)
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
