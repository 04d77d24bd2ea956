package relay

import "encoding/json"

// What a program asks the binding: what is registered, which scope is the current one, what a handle says.

func (p *performance) list(family string) (json.RawMessage, error) {
	listed, err := p.binding.Registered(family)
	if err != nil {
		return nil, err
	}
	return entries(listed, owned), nil
}

// bare is as much of a registration as the list of what is left behind has.
func bare(one Registration) *Object { return object("family", one.Family, "name", one.Name) }

// owned is a registration as a listing has it: with the plugin that owns it.
func owned(one Registration) *Object {
	entry := bare(one)
	if one.Plugin != "" {
		entry.set("plugin", one.Plugin)
	}
	if one.Number != 0 {
		entry.set("number", number(one.Number))
	}
	return entry
}

// entries writes registrations as JSON text.
func entries(registrations []Registration, written func(Registration) *Object) []byte {
	texts := make([][]byte, len(registrations))
	for i, one := range registrations {
		texts[i] = textOf(written(one))
	}
	return appendAll(nil, texts)
}

func (p *performance) current() (json.RawMessage, error) {
	binding, err := p.lifecycles()
	if err != nil {
		return nil, err
	}
	scope, err := binding.Current()
	if err != nil {
		return nil, err
	}
	return appendValue(nil, object("uuid", scope.UUID, "name", scope.Name)), nil
}

// told is what the handle of a step says.
func (p *performance) told(plain Step) (json.RawMessage, error) {
	binding, ok := p.binding.(Telling)
	if !ok {
		return nil, unsupported("handle", "a program cannot ask a handle what it says")
	}
	return answered(binding.Handle(plain))
}
