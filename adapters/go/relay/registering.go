package relay

// #include "bridge.h"
import "C"

import "encoding/json"

// Register registers a Callback, an Around, a Sanitizer or a Subscriber, as the kind asks for; the lowest priority runs
// first. What a plugin registers goes with the plugin: Deregister is not for it.
func Register(where Registering, callback any) error {
	return calling(func(c []*C.char) C.NemoRelayStatus {
		priority, breakChain := C.int32_t(where.Priority), C.bool(where.BreakChain)
		return C.bridge_register(c[0], where.Plugin.pointer(), c[1], c[2], priority, breakChain, keep(callback))
	}, where.arguments()...)
}

// Deregister undoes Register. The library does not say whether anything was registered.
func Deregister(where Registering) error {
	return calling(func(c []*C.char) C.NemoRelayStatus {
		return C.bridge_deregister(c[0], c[1], c[2])
	}, where.arguments()...)
}

// RegisterGate registers a gate about what is registered globally under a name, as any of these kinds. It is asked with the
// kinds as JSON and the name; with a text for an answer that is kept out, with a nil one, and with an error, let in.
func RegisterGate(name string, kinds []string, target string, ask Callback) error {
	about, err := json.Marshal(kinds)
	if err != nil {
		return err
	}
	return calling(func(c []*C.char) C.NemoRelayStatus {
		return C.bridge_register_gate(c[0], c[1], c[2], keep(ask))
	}, named(name), encoded("kinds", about), named(target))
}

// DeregisterGate undoes RegisterGate, and says whether there was such a gate.
func DeregisterGate(name string) (bool, error) {
	var there C.bool
	err := calling(func(c []*C.char) C.NemoRelayStatus {
		return C.nemo_relay_deregister_conditional_middleware_guardrail(c[0], &there)
	}, named(name))
	return bool(there), err
}

func (where Registering) arguments() []argument {
	return []argument{{"kind", &where.Kind}, {"scope", where.Scope}, named(where.Name)}
}
