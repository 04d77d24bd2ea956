// Package relay is NeMo Relay's C library as Go sees it: the part that managed LLM calls need, nothing added.
//
// The library keeps numbers (cgo.Handle) for Go values and gives each back once; strings it returns are copied and
// freed here, strings it is given by callbacks are its own. Its error text belongs to an OS thread, so every call that
// may fail is made and asked about on one.
package relay

// #include "bridge.h"
import "C"

import (
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"unsafe"
)

// NulError is a text that C cannot hold, as a C string ends at its first NUL; What says which argument it is.
type NulError struct{ What string }

func (e *NulError) Error() string { return "the " + e.What + " holds NUL" }

// OnFreshScopeStack runs act on a scope stack of its own, which the OS thread keeps until it is given another.
func OnFreshScopeStack(act func()) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var stack *C.struct_FfiScopeStack
	if err := checked(func() C.NemoRelayStatus { return C.nemo_relay_scope_stack_create(&stack) }); err != nil {
		return err
	}
	defer C.nemo_relay_scope_stack_free(stack)
	err := checked(func() C.NemoRelayStatus { return C.nemo_relay_scope_stack_set_thread(stack) })
	if err == nil {
		act()
	}
	return err
}

// Registrations lists the global registrations.
func Registrations() ([]Registration, error) {
	var out *C.char
	listed, err := owned(&out, func() C.NemoRelayStatus { return C.nemo_relay_list_runtime_registrations(nil, &out) })
	if err != nil {
		return nil, err
	}
	var registrations []Registration
	return registrations, json.Unmarshal(listed, &registrations)
}

// Flush waits until every event so far is delivered.
func Flush() error {
	return checked(func() C.NemoRelayStatus { return C.nemo_relay_flush_subscribers() })
}

// RegisterSubscriber registers a subscriber to all events.
func RegisterSubscriber(name string, subscriber Subscriber) error {
	return withStrings([]argument{{"name", name}}, func(c []*C.char) error {
		handle := keep(subscriber)
		return checked(func() C.NemoRelayStatus { return C.bridge_subscribe(c[0], handle) })
	})
}

// DeregisterSubscriber undoes RegisterSubscriber.
func DeregisterSubscriber(name string) error {
	return withStrings([]argument{{"name", name}}, func(c []*C.char) error {
		return checked(func() C.NemoRelayStatus { return C.nemo_relay_deregister_subscriber(c[0]) })
	})
}

// RegisterLLMRequestIntercept registers an intercept of LLM requests; the lowest priority runs first.
func RegisterLLMRequestIntercept(name string, priority int32, breakChain bool, intercept Intercept) error {
	return withStrings([]argument{{"name", name}}, func(c []*C.char) error {
		handle := keep(intercept)
		return checked(func() C.NemoRelayStatus {
			return C.bridge_intercept(c[0], C.int32_t(priority), C.bool(breakChain), handle)
		})
	})
}

// DeregisterLLMRequestIntercept undoes RegisterLLMRequestIntercept.
func DeregisterLLMRequestIntercept(name string) error {
	return withStrings([]argument{{"name", name}}, func(c []*C.char) error {
		return checked(func() C.NemoRelayStatus { return C.nemo_relay_deregister_llm_request_intercept(c[0]) })
	})
}

// Execute makes a managed call and returns the provider's answer.
func (call Call) Execute() (answer json.RawMessage, err error) {
	texts := []argument{{"name", call.Name}, {"request", string(call.Request)}}
	if call.Model != nil {
		texts = append(texts, argument{"model", *call.Model})
	}
	err = withStrings(texts, func(c []*C.char) (err error) {
		var model, out *C.char
		if call.Model != nil {
			model = c[2]
		}
		var codec C.uintptr_t
		if call.Codec != nil {
			codec = keep(call.Codec)
		}
		provider := keep(call.Provider)
		answer, err = owned(&out, func() C.NemoRelayStatus {
			return C.bridge_call(c[0], c[1], model, provider, codec, &out)
		})
		if neverTaken(err) {
			giveBack(provider)
			giveBack(codec)
		}
		return err
	})
	return answer, err
}

// neverTaken tells whether the library refused a call for its arguments: it then forgets to give the user data back.
func neverTaken(err error) bool {
	var failed *Error
	if !errors.As(err, &failed) {
		return false
	}
	switch failed.Status {
	case C.NEMO_RELAY_STATUS_NULL_POINTER, C.NEMO_RELAY_STATUS_INVALID_JSON, C.NEMO_RELAY_STATUS_INVALID_UTF8:
		return true
	}
	return false
}

// LLMRequestIntercepts runs the registered intercepts over a request, outside any call, and returns their outcome.
func LLMRequestIntercepts(name string, request json.RawMessage) (outcome json.RawMessage, err error) {
	err = withStrings([]argument{{"name", name}, {"request", string(request)}}, func(c []*C.char) (err error) {
		var out *C.char
		outcome, err = owned(&out, func() C.NemoRelayStatus {
			return C.nemo_relay_llm_request_intercepts(c[0], c[1], &out)
		})
		return err
	})
	return outcome, err
}

// checked makes a call and reads its error on one OS thread.
func checked(call func() C.NemoRelayStatus) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	status := call()
	if status == C.NEMO_RELAY_STATUS_OK {
		return nil
	}
	failed := &Error{Status: int(status)}
	if lent := C.nemo_relay_last_error(); lent != nil {
		failed.Text = C.GoString(lent)
	}
	return failed
}

// owned makes a call that leaves a string of the library's in out, which is copied and freed once.
func owned(out **C.char, call func() C.NemoRelayStatus) (json.RawMessage, error) {
	if err := checked(call); err != nil {
		return nil, err
	}
	defer C.nemo_relay_string_free(*out)
	return text(*out), nil
}

// An argument is a text to lend to C, and what it is.
type argument struct{ what, text string }

// withStrings lends C strings to a call; NUL in one is a NulError, and the call is not made.
func withStrings(texts []argument, call func([]*C.char) error) error {
	lent := make([]*C.char, 0, len(texts))
	defer func() {
		for _, one := range lent {
			C.free(unsafe.Pointer(one))
		}
	}()
	for _, one := range texts {
		if strings.IndexByte(one.text, 0) >= 0 {
			return &NulError{one.what}
		}
		lent = append(lent, C.CString(one.text))
	}
	return call(lent)
}
