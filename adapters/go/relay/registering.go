package relay

// #include "bridge.h"
import "C"

// Register registers a Callback, an Around or a Subscriber, as the kind asks for; the lowest priority runs first. What a
// plugin registers goes with the plugin: Deregister is not for it.
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

func (where Registering) arguments() []argument {
	return []argument{{"kind", &where.Kind}, {"scope", where.Scope}, named(where.Name)}
}
