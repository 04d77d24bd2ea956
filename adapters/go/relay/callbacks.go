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
	cgo.Handle(handle).Value().(Subscriber)(text(event))
}

//export goIntercept
func goIntercept(handle C.uintptr_t, name, headers, content, annotated *C.char) *C.char {
	given := Interception{C.GoString(name), Request{text(headers), text(content)}, text(annotated)}
	return answer(func() (json.RawMessage, error) { return cgo.Handle(handle).Value().(Intercept)(given) })
}

//export goProvide
func goProvide(handle C.uintptr_t, request *C.char) *C.char {
	return answer(func() (json.RawMessage, error) { return cgo.Handle(handle).Value().(Provider)(text(request)) })
}

//export goDecode
func goDecode(handle C.uintptr_t, headers, content *C.char) *C.char {
	given := Request{text(headers), text(content)}
	return answer(func() (json.RawMessage, error) { return cgo.Handle(handle).Value().(*Codec).Decode(given) })
}

//export goEncode
func goEncode(handle C.uintptr_t, annotated, headers, content *C.char) *C.char {
	given := Encoding{text(annotated), Request{text(headers), text(content)}}
	return answer(func() (json.RawMessage, error) { return cgo.Handle(handle).Value().(*Codec).Encode(given) })
}

// answer returns a string that the library will free, or NULL after it set the error text. No panic crosses into C.
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
	return C.CString(string(said))
}

func fail(reason string) {
	message := C.CString(reason)
	defer C.free(unsafe.Pointer(message))
	C.nemo_relay_set_last_error_message(message)
}

// text copies a string that the library only lends; NULL is nil.
func text(lent *C.char) json.RawMessage {
	if lent == nil {
		return nil
	}
	return json.RawMessage(C.GoString(lent))
}
