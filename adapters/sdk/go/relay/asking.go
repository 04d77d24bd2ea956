package relay

import "encoding/json"

// What a program asks the binding: what is registered, which scope is the current one, what a handle says.

func (p *performance) list(family string) (json.RawMessage, error) {
	listed, err := p.binding.Registered(family)
	if err != nil {
		return nil, err
	}
	return entries(listed), nil
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
