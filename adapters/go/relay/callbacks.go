package relay

// #include "bridge.h"
import "C"

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/cgo"
	"sync"
	"unsafe"
)

// The functions below run on whichever thread the library calls from; Go keeps its goroutine on that thread until they
// return, so that the error text is set on the thread where the library looks for it.

// held are the handles that the library has and has not given back. Handles are never used again, so one that is not
// here was given back before.
var held struct {
	sync.Mutex
	handles map[cgo.Handle]struct{}
}

// Kept returns how many Go values the library keeps a handle of.
func Kept() int {
	held.Lock()
	defer held.Unlock()
	return len(held.handles)
}

func keep(callback any) C.uintptr_t {
	handle := cgo.NewHandle(callback)
	held.Lock()
	defer held.Unlock()
	if held.handles == nil {
		held.handles = map[cgo.Handle]struct{}{}
	}
	held.handles[handle] = struct{}{}
	return C.uintptr_t(handle)
}

// giveBack forgets a handle; it tells whether the handle was still held.
func giveBack(handle C.uintptr_t) bool {
	held.Lock()
	defer held.Unlock()
	if _, there := held.handles[cgo.Handle(handle)]; !there {
		return false
	}
	delete(held.handles, cgo.Handle(handle))
	cgo.Handle(handle).Delete()
	return true
}

//export goFree
func goFree(handle C.uintptr_t) {
	if !giveBack(handle) {
		fmt.Fprintln(os.Stderr, "the library gave a handle back that it does not have")
	}
}

//export goEvent
func goEvent(handle C.uintptr_t, event *C.char) {
	cgo.Handle(handle).Value().(Subscriber)(json.RawMessage(text(event)))
}

//export goAsk
func goAsk(handle C.uintptr_t, count C.int, lent **C.char) *C.char {
	return answer(func() (json.RawMessage, error) { return cgo.Handle(handle).Value().(Callback)(texts(count, lent)...) })
}

//export goWrap
func goWrap(handle C.uintptr_t, count C.int, lent **C.char, next C.bridge_next, context unsafe.Pointer) *C.char {
	proceed := func(argument json.RawMessage) (json.RawMessage, error) {
		asked := C.CString(string(argument))
		defer C.free(unsafe.Pointer(asked))
		given := C.bridge_go_on(next, asked, context)
		if given == nil {
			return nil, Failure(lastError())
		}
		defer C.nemo_relay_string_free(given)
		return json.RawMessage(text(given)), nil
	}
	return answer(func() (json.RawMessage, error) {
		return cgo.Handle(handle).Value().(Around)(proceed, texts(count, lent)...)
	})
}

//export goPlugin
func goPlugin(handle C.uintptr_t, context *C.struct_FfiPluginContext) C.NemoRelayStatus {
	said := answer(func() (json.RawMessage, error) {
		return json.RawMessage{}, cgo.Handle(handle).Value().(func(*PluginContext) error)(&PluginContext{context})
	})
	if said == nil {
		return C.NEMO_RELAY_STATUS_INTERNAL
	}
	C.free(unsafe.Pointer(said))
	return C.NEMO_RELAY_STATUS_OK
}

//export goDecode
func goDecode(handle C.uintptr_t, count C.int, lent **C.char) *C.char {
	codec := cgo.Handle(handle).Value().(*Codec)
	return answer(func() (json.RawMessage, error) { return codec.Decode(texts(count, lent)...) })
}

//export goEncode
func goEncode(handle C.uintptr_t, count C.int, lent **C.char) *C.char {
	codec := cgo.Handle(handle).Value().(*Codec)
	return answer(func() (json.RawMessage, error) { return codec.Encode(texts(count, lent)...) })
}

//export goCollect
func goCollect(chunk *C.char) { opened.Load().Collector(json.RawMessage(text(chunk))) }

//export goFinalize
func goFinalize() *C.char { return answer(opened.Load().Finalizer) }

// answer returns a text that the library will free, or NULL: because there is no answer, or after it set the error text.
// No panic crosses into C.
func answer(callback func() (json.RawMessage, error)) (reply *C.char) {
	defer func() {
		if broken := recover(); broken != nil {
			fail(fmt.Sprintf("panic: %v", broken))
			reply = nil
		}
	}()
	said, err := callback()
	if err != nil {
		fail(err.Error())
		return nil
	}
	if said == nil {
		return nil
	}
	return C.CString(string(said))
}

func fail(reason string) {
	message := C.CString(reason)
	defer C.free(unsafe.Pointer(message))
	C.nemo_relay_set_last_error_message(message)
}

// lastError is this thread's error text.
func lastError() string {
	if lent := C.nemo_relay_last_error(); lent != nil {
		return C.GoString(lent)
	}
	return ""
}

// texts copies what the library only lends.
func texts(count C.int, lent **C.char) []string {
	copies := make([]string, count)
	for i, one := range unsafe.Slice(lent, count) {
		copies[i] = text(one)
	}
	return copies
}

// text copies a text that the library only lends; NULL is JSON's null.
func text(lent *C.char) string {
	if lent == nil {
		return "null"
	}
	return C.GoString(lent)
}
