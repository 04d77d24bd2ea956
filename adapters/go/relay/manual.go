package relay

// #include "bridge.h"
import "C"

import (
	"encoding/json"
	"runtime"
)

// A Scope is a scope that was pushed. Its handle is freed when Go forgets it, and so are those of manual calls.
type Scope struct{ native *C.struct_FfiScopeHandle }

// An LLM is a manual LLM call that was started.
type LLM struct{ native *C.struct_FfiLLMHandle }

// A Tool is a manual tool call that was started.
type Tool struct{ native *C.struct_FfiToolHandle }

// ScopeTypes are the library's types of scopes, in the order of their numbers.
var ScopeTypes = []string{
	"agent", "function", "tool", "llm", "retriever", "embedder", "reranker", "guardrail", "evaluator", "custom", "unknown",
}

// pointer is the handle, or NULL where there is no scope.
func (s *Scope) pointer() *C.struct_FfiScopeHandle {
	if s == nil {
		return nil
	}
	return s.native
}

// attributes has the bit of each attribute in the number that the library takes, which names none of them.
var attributes = map[string]C.uint32_t{"parallel": 1, "relocatable": 2, "stateful": 1, "streaming": 2, "remote": 1}

// flags are the attributes as the library takes them.
func (l Lead) flags() (flags C.uint32_t) {
	for _, name := range l.Attributes {
		flags |= attributes[name]
	}
	return flags
}

// micros is a time as the library takes it, or NULL where none is given.
func micros(timestamp *int64) *C.int64_t {
	if timestamp == nil {
		return nil
	}
	time := C.int64_t(*timestamp)
	return &time
}

// UUID is the scope's uuid.
func (s *Scope) UUID() string {
	defer runtime.KeepAlive(s)
	return copied(C.nemo_relay_scope_handle_uuid(s.native))
}

// CurrentScope is the scope that is the current one on this thread.
func CurrentScope() (*Scope, error) {
	scope := &Scope{}
	err := checked(func() C.NemoRelayStatus { return C.nemo_relay_get_handle(&scope.native) })
	runtime.SetFinalizer(scope, func(s *Scope) { C.nemo_relay_scope_handle_free(s.native) })
	return scope, err
}

// PushScope pushes a scope of the type with this number in ScopeTypes; input may be nil.
func PushScope(lead Lead, kind int, input json.RawMessage) (*Scope, error) {
	defer runtime.KeepAlive(lead.Parent)
	scope := &Scope{}
	err := calling(func(c []*C.char) C.NemoRelayStatus {
		parent := lead.Parent.pointer()
		flags, time := lead.flags(), micros(lead.Timestamp)
		return C.nemo_relay_push_scope(
			c[0], C.NemoRelayScopeType(kind), parent, flags, c[3], c[1], c[2], time, &scope.native,
		)
	}, named(lead.Name), encoded("metadata", lead.Metadata), encoded("input", input), encoded("data", lead.Data))
	runtime.SetFinalizer(scope, func(s *Scope) { C.nemo_relay_scope_handle_free(s.native) })
	return scope, err
}

// Pop pops the scope; output, metadata and timestamp may be nil.
func (s *Scope) Pop(output, metadata json.RawMessage, timestamp *int64) error {
	defer runtime.KeepAlive(s)
	return calling(func(c []*C.char) C.NemoRelayStatus {
		return C.nemo_relay_pop_scope(s.native, c[0], c[1], micros(timestamp))
	}, encoded("output", output), encoded("metadata", metadata))
}

// Start starts a manual call.
func (call LLMCall) Start() (*LLM, error) {
	defer runtime.KeepAlive(call.Parent)
	started := &LLM{}
	err := calling(func(c []*C.char) C.NemoRelayStatus {
		parent, flags, time := call.Parent.pointer(), call.flags(), micros(call.Timestamp)
		return C.nemo_relay_llm_call(c[0], c[1], parent, flags, c[4], c[2], c[3], time, &started.native)
	}, call.arguments()...)
	runtime.SetFinalizer(started, func(l *LLM) { C.nemo_relay_llm_handle_free(l.native) })
	return started, err
}

// Ended is what a call may be ended with besides; nil is what is not given.
type Ended struct {
	Data, Metadata json.RawMessage
	Timestamp      *int64 // in microseconds since 1970
}

// End ends the call with a response.
func (l *LLM) End(response json.RawMessage, with Ended) error {
	defer runtime.KeepAlive(l)
	return calling(func(c []*C.char) C.NemoRelayStatus {
		return C.nemo_relay_llm_call_end(l.native, c[0], c[1], c[2], micros(with.Timestamp))
	}, encoded("response", response), encoded("data", with.Data), encoded("metadata", with.Metadata))
}

// Start starts a manual call.
func (call ToolCall) Start() (*Tool, error) {
	defer runtime.KeepAlive(call.Parent)
	started := &Tool{}
	err := calling(func(c []*C.char) C.NemoRelayStatus {
		parent, flags, time := call.Parent.pointer(), call.flags(), micros(call.Timestamp)
		return C.nemo_relay_tool_call(c[0], c[1], parent, flags, c[4], c[2], c[3], time, &started.native)
	}, call.arguments()...)
	runtime.SetFinalizer(started, func(t *Tool) { C.nemo_relay_tool_handle_free(t.native) })
	return started, err
}

// End ends the call with a result, made of `result` and `annotation`.
func (t *Tool) End(result json.RawMessage, with Ended) error {
	defer runtime.KeepAlive(t)
	return calling(func(c []*C.char) C.NemoRelayStatus {
		return C.nemo_relay_tool_call_end(t.native, c[0], c[1], c[2], micros(with.Timestamp))
	}, encoded("result", result), encoded("data", with.Data), encoded("metadata", with.Metadata))
}

// Emit emits the mark.
func (m Mark) Emit() error {
	defer runtime.KeepAlive(m.Parent)
	if m.DataSchema == nil && m.Severity == nil {
		return calling(func(c []*C.char) C.NemoRelayStatus {
			return C.nemo_relay_event(c[0], m.Parent.pointer(), c[1], c[2], micros(m.Timestamp))
		}, named(m.Name), encoded("data", m.Data), encoded("metadata", m.Metadata))
	}
	var severity *C.NemoRelayLogSeverity
	if m.Severity != nil {
		number := C.NemoRelayLogSeverity(*m.Severity)
		severity = &number
	}
	return calling(func(c []*C.char) C.NemoRelayStatus {
		return C.nemo_relay_event_v2(c[0], m.Parent.pointer(), c[1], c[2], c[3], severity, micros(m.Timestamp))
	}, named(m.Name), encoded("data", m.Data), encoded("data_schema", m.DataSchema), encoded("metadata", m.Metadata))
}

// Emit emits the measurements, as a group.
func (m Metric) Emit() error {
	defer runtime.KeepAlive(m.Parent)
	return calling(func(c []*C.char) C.NemoRelayStatus {
		return C.nemo_relay_metric_json(c[0], m.Parent.pointer(), c[1], c[2], micros(m.Timestamp))
	}, named(m.Name), encoded("measurements", m.Measurements), encoded("metadata", m.Metadata))
}
