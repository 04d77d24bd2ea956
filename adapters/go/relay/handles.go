package relay

// #include "bridge.h"
import "C"

import (
	"encoding/json"
	"runtime"
)

// Said is what a handle says, each member as the library's own function for it does; nil is what there is none of.
type Said struct {
	UUID, Name     string
	ParentUUID     *string
	Attributes     []string
	Type           string          // a scope's
	Data, Metadata json.RawMessage // a scope's
}

// Said is what the scope's handle says.
func (s *Scope) Said() Said {
	defer runtime.KeepAlive(s)
	found := said(
		C.nemo_relay_scope_handle_uuid(s.native), C.nemo_relay_scope_handle_parent_uuid(s.native),
		C.nemo_relay_scope_handle_name(s.native), C.nemo_relay_scope_handle_attributes(s.native),
		"parallel", "relocatable",
	)
	found.Type = ScopeTypes[C.nemo_relay_scope_handle_scope_type(s.native)]
	found.Data = json.RawMessage(copied(C.nemo_relay_scope_handle_data(s.native)))
	found.Metadata = json.RawMessage(copied(C.nemo_relay_scope_handle_metadata(s.native)))
	return found
}

// Said is what the call's handle says.
func (l *LLM) Said() Said {
	defer runtime.KeepAlive(l)
	return said(
		C.nemo_relay_llm_handle_uuid(l.native), C.nemo_relay_llm_handle_parent_uuid(l.native),
		C.nemo_relay_llm_handle_name(l.native), C.nemo_relay_llm_handle_attributes(l.native),
		"stateful", "streaming",
	)
}

// Said is what the call's handle says.
func (t *Tool) Said() Said {
	defer runtime.KeepAlive(t)
	return said(
		C.nemo_relay_tool_handle_uuid(t.native), C.nemo_relay_tool_handle_parent_uuid(t.native),
		C.nemo_relay_tool_handle_name(t.native), C.nemo_relay_tool_handle_attributes(t.native),
		"remote",
	)
}

// said is what all handles say; of the attributes those are named whose bits are set.
func said(uuid, parent, name *C.char, flags C.uint32_t, of ...string) Said {
	found := Said{UUID: copied(uuid), Name: copied(name), Attributes: []string{}}
	if parent != nil {
		text := copied(parent)
		found.ParentUUID = &text
	}
	for _, attribute := range of {
		if flags&attributes[attribute] != 0 {
			found.Attributes = append(found.Attributes, attribute)
		}
	}
	return found
}

// copied copies a text that is ours, and frees it; NULL is JSON's null.
func copied(ours *C.char) string {
	defer C.nemo_relay_string_free(ours)
	return text(ours)
}
