package relay

// #include "bridge.h"
import "C"

import (
	"encoding/json"
	"errors"
	"slices"
)

// PluginContext is that through which a plugin registers, while it is asked to.
type PluginContext struct{ context *C.struct_FfiPluginContext }

func (p *PluginContext) pointer() *C.struct_FfiPluginContext {
	if p == nil {
		return nil
	}
	return p.context
}

// Plugins are those that are active, which were installed together.
type Plugins struct {
	kinds  []string // each once
	active *C.bridge_activation
}

// Install registers plugins of these kinds and activates them in one configuration, in this order; a kind that stands
// twice is configured twice. Each is asked to register on a thread of the library's; with register's error none is
// activated.
func Install(kinds []string, register func(kind string, context *PluginContext) error) (*Plugins, error) {
	plugins := &Plugins{}
	for _, kind := range kinds {
		if slices.Contains(plugins.kinds, kind) {
			continue
		}
		own := func(context *PluginContext) error { return register(kind, context) }
		err := calling(func(c []*C.char) C.NemoRelayStatus {
			return C.bridge_register_plugin(c[0], keep(own))
		}, pluginKind(kind))
		if err != nil {
			_ = plugins.forget()
			return nil, err
		}
		plugins.kinds = append(plugins.kinds, kind)
	}
	if err := plugins.activate(kinds); err != nil {
		_ = plugins.forget()
		return nil, err
	}
	return plugins, nil
}

func (p *Plugins) activate(kinds []string) error {
	type component struct {
		Kind    string   `json:"kind"`
		Enabled bool     `json:"enabled"`
		Config  struct{} `json:"config"`
	}
	components := make([]component, 0, len(kinds))
	for _, kind := range kinds {
		components = append(components, component{Kind: kind, Enabled: true})
	}
	config, err := json.Marshal(map[string]any{"version": 1, "components": components})
	if err != nil {
		return err
	}
	return calling(func(c []*C.char) C.NemoRelayStatus {
		return C.bridge_activate_plugins(c[0], &p.active)
	}, encoded("config", config))
}

// Uninstall takes back the plugins, and all that they registered.
func (p *Plugins) Uninstall() error {
	closed := checked(func() C.NemoRelayStatus { return C.bridge_close_plugins(p.active) })
	C.bridge_free_plugins(p.active)
	p.active = nil
	if forgotten := p.forget(); closed == nil {
		return forgotten
	}
	return closed
}

// forget deregisters the kinds.
func (p *Plugins) forget() error {
	var failed error
	for _, kind := range p.kinds {
		failed = errors.Join(failed, calling(func(c []*C.char) C.NemoRelayStatus {
			return C.nemo_relay_deregister_plugin(c[0])
		}, pluginKind(kind)))
	}
	return failed
}

func pluginKind(kind string) argument { return argument{"kind", &kind} }
