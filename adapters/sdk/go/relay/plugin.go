package relay

import "encoding/json"

// install installs plugins whose callback does what the step says.
func (p *performance) install(step value) error {
	binding, ok := p.binding.(Installing)
	if !ok {
		return unsupported("plugin", "a program installs no plugins here")
	}
	as := textAt(step, "as")
	takeBack, err := binding.Install(textsAt(step, "plugins"), func(plugin string, context Registrar) error {
		callback := p.callback(as, step, "do")
		callback.act = func(inner value, _ *ToldCodec) error { return p.registerThrough(context, inner) }
		given, err := json.Marshal(map[string]string{"plugin": plugin})
		if err == nil {
			_, err = callback.Play(json.RawMessage(given), nothing, Whole)
		}
		return err
	})
	if err == nil {
		p.installed[as] = takeBack
	}
	return err
}

// registerThrough acts a step in the middle of a plugin's callback; what stops it stops the callback too.
func (p *performance) registerThrough(context Registrar, step value) error {
	if kind := textAt(step, "step"); kind != "register" {
		return unsupported("reentrant", "the step '"+kind+"' inside a plugin's callback")
	}
	plain, err := p.plain(step)
	if err == nil {
		_, err = p.put(context, step, plain)
	}
	p.ended(step, nothing, err)
	if reason := p.recorder.reason(); reason != nil {
		return reason
	}
	return nil
}

// uninstall takes back what a step installed.
func (p *performance) uninstall(step value) error {
	of := textAt(step, "of")
	takeBack, there := p.installed[of]
	if !there {
		return p.missing(step, of, "installed nothing")
	}
	delete(p.installed, of)
	return takeBack()
}
