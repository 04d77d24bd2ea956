package relay

// #include "bridge.h"
import "C"

import "encoding/json"

// PluginContext is that through which a plugin registers, while it is asked to.
type PluginContext struct{ context *C.struct_FfiPluginContext }

func (p *PluginContext) pointer() *C.struct_FfiPluginContext {
	if p == nil {
		return nil
	}
	return p.context
}

// Plugin is one that is active. There is one at a time.
type Plugin struct {
	kind   string
	active *C.bridge_activation
}

// Install registers a plugin of a kind of its own and activates it. The plugin is asked to register on a thread of the
// library's; with register's error it is not activated.
func Install(kind string, register func(*PluginContext) error) (*Plugin, error) {
	err := calling(func(c []*C.char) C.NemoRelayStatus {
		return C.bridge_register_plugin(c[0], keep(register))
	}, pluginKind(kind))
	if err != nil {
		return nil, err
	}
	plugin := &Plugin{kind: kind}
	if err := plugin.activate(); err != nil {
		_ = plugin.forget()
		return nil, err
	}
	return plugin, nil
}

func (p *Plugin) activate() error {
	type component struct {
		Kind    string   `json:"kind"`
		Enabled bool     `json:"enabled"`
		Config  struct{} `json:"config"`
	}
	config, err := json.Marshal(map[string]any{"version": 1, "components": []component{{Kind: p.kind, Enabled: true}}})
	if err != nil {
		return err
	}
	return calling(func(c []*C.char) C.NemoRelayStatus {
		return C.bridge_activate_plugins(c[0], &p.active)
	}, encoded("config", config))
}

// Uninstall takes back the plugin, and all that it registered.
func (p *Plugin) Uninstall() error {
	closed := checked(func() C.NemoRelayStatus { return C.bridge_close_plugins(p.active) })
	C.bridge_free_plugins(p.active)
	p.active = nil
	if forgotten := p.forget(); closed == nil {
		return forgotten
	}
	return closed
}

// forget deregisters the kind.
func (p *Plugin) forget() error {
	return calling(func(c []*C.char) C.NemoRelayStatus {
		return C.nemo_relay_deregister_plugin(c[0])
	}, pluginKind(p.kind))
}

func pluginKind(kind string) argument { return argument{"kind", &kind} }
