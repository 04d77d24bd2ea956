// Package relay is NeMo Relay's C library as Go sees it: calls, middleware, scopes and marks, nothing added.
//
// The library keeps numbers (cgo.Handle) for Go values and gives each back once; strings it returns are copied and
// freed here, strings it is given by callbacks are its own. Its error text belongs to an OS thread, so every call that
// may fail is made and asked about on one.
package relay

// #include "bridge.h"
import "C"

import (
	"encoding/json"
	"runtime"
	"strings"
	"unsafe"
)

// ToolContext tells whether what wraps a tool's execution is given a context, which has the call's name, arguments and id;
// before release 0.9 it is given the arguments alone.
const ToolContext = C.bridge_tool_context != 0

// NulError is a text that C cannot hold, as a C string ends at its first NUL; What says which argument it is.
type NulError struct{ What string }

func (e *NulError) Error() string { return "the " + e.What + " holds NUL" }

// NoCodecError is the error of a call that names a codec which the library does not have.
type NoCodecError string

func (e NoCodecError) Error() string { return "the library has no codec " + string(e) }

// A ScopeStack is what nests scopes; several OS threads may be on one.
type ScopeStack struct{ stack *C.struct_FfiScopeStack }

// OnFreshScopeStack runs act on a scope stack of its own, which cannot be given to other OS threads after that.
func OnFreshScopeStack(act func(ScopeStack)) error {
	var stack *C.struct_FfiScopeStack
	if err := checked(func() C.NemoRelayStatus { return C.nemo_relay_scope_stack_create(&stack) }); err != nil {
		return err
	}
	return onNew(stack, act)
}

// OnReceivedScopeStack runs act, as OnFreshScopeStack does, on a scope stack that is made of what Capture gave.
func OnReceivedScopeStack(captured json.RawMessage, act func(ScopeStack)) error {
	var stack *C.struct_FfiScopeStack
	err := calling(func(c []*C.char) C.NemoRelayStatus {
		return C.nemo_relay_scope_stack_create_from_propagation_json(c[0], &stack)
	}, encoded("captured", captured))
	if err != nil {
		return err
	}
	return onNew(stack, act)
}

func onNew(stack *C.struct_FfiScopeStack, act func(ScopeStack)) error {
	defer C.nemo_relay_scope_stack_free(stack)
	made := ScopeStack{stack}
	return made.On(func() { act(made) })
}

// Capture takes down where the program stands: with a root, without one, with that of a scope, or as a trace header.
func Capture(what string, root *Scope) (json.RawMessage, error) {
	var uuid *C.char
	if root != nil {
		uuid = C.nemo_relay_scope_handle_uuid(root.native)
		defer C.nemo_relay_string_free(uuid)
	}
	var out *C.char
	captured, err := owned(&out, func() C.NemoRelayStatus {
		switch what {
		case "usual":
			return C.nemo_relay_capture_propagation_context_json(&out)
		case "rootless":
			return C.bridge_capture_rootless(&out)
		case "rooted":
			return C.nemo_relay_capture_propagation_context_with_root_json(uuid, &out)
		}
		return C.nemo_relay_capture_traceparent(&out)
	})
	if err != nil || what != "traceparent" {
		return captured, err
	}
	return json.Marshal(string(captured))
}

// On runs act on the scope stack, which the OS thread keeps until it is given another.
func (s ScopeStack) On(act func()) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := checked(func() C.NemoRelayStatus { return C.nemo_relay_scope_stack_set_thread(s.stack) })
	if err == nil {
		act()
	}
	return err
}

// Registrations lists the global registrations of these kinds, or of all where none is named.
func Registrations(kinds ...string) (registrations []Registration, err error) {
	var asked json.RawMessage
	if len(kinds) > 0 {
		if asked, err = json.Marshal(kinds); err != nil {
			return nil, err
		}
	}
	listed, err := answering(func(c []*C.char, out **C.char) C.NemoRelayStatus {
		return C.nemo_relay_list_runtime_registrations(c[0], out)
	}, encoded("kinds", asked))
	if err != nil {
		return nil, err
	}
	return registrations, json.Unmarshal(listed, &registrations)
}

// Flush waits until every event so far is delivered.
func Flush() error {
	return checked(func() C.NemoRelayStatus { return C.nemo_relay_flush_subscribers() })
}

// checked makes a call and reads its error on one OS thread.
func checked(call func() C.NemoRelayStatus) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	status := call()
	if status == C.NEMO_RELAY_STATUS_OK {
		return nil
	}
	return &Error{Status: int(status), Text: lastError()}
}

// calling makes a call with texts lent to C, and reads its error on one OS thread.
func calling(call func(c []*C.char) C.NemoRelayStatus, texts ...argument) error {
	return withStrings(func(c []*C.char) error { return checked(func() C.NemoRelayStatus { return call(c) }) }, texts...)
}

// answering makes a call with texts lent to C, which leaves a string of the library's.
func answering(call func(c []*C.char, out **C.char) C.NemoRelayStatus, texts ...argument) (answer json.RawMessage, err error) {
	err = withStrings(func(c []*C.char) error {
		var out *C.char
		answer, err = owned(&out, func() C.NemoRelayStatus { return call(c, &out) })
		return err
	}, texts...)
	return answer, err
}

// owned makes a call that leaves a string of the library's in out, which is copied and freed once.
func owned(out **C.char, call func() C.NemoRelayStatus) (json.RawMessage, error) {
	if err := checked(call); err != nil {
		return nil, err
	}
	defer C.nemo_relay_string_free(*out)
	return json.RawMessage(text(*out)), nil
}

// An argument is a text to lend to C, and what it is; a nil one is NULL.
type argument struct {
	what string
	text *string
}

func named(name string) argument { return argument{"name", &name} }

func encoded(what string, value json.RawMessage) argument {
	if value == nil {
		return argument{what, nil}
	}
	text := string(value)
	return argument{what, &text}
}

// withStrings lends C strings to a call; NUL in one is a NulError, and the call is not made.
func withStrings(call func([]*C.char) error, texts ...argument) error {
	lent := make([]*C.char, 0, len(texts))
	defer func() {
		for _, one := range lent {
			C.free(unsafe.Pointer(one))
		}
	}()
	for _, one := range texts {
		if one.text == nil {
			lent = append(lent, nil)
			continue
		}
		if strings.IndexByte(*one.text, 0) >= 0 {
			return &NulError{one.what}
		}
		lent = append(lent, C.CString(*one.text))
	}
	return call(lent)
}
