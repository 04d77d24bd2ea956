package relay

// #include "bridge.h"
import "C"

import (
	"encoding/json"
	"runtime"
	"sync/atomic"
)

// opened is the call whose collector and finalizer the library asks, without saying which call it is about.
var opened atomic.Pointer[StreamCall]

// A Stream is what a stream call gives. It is freed when Go forgets it, or by Drop.
type Stream struct{ native *C.struct_FfiStream }

// Open makes a managed call and returns its stream.
func (call StreamCall) Open() (*Stream, error) {
	defer runtime.KeepAlive(call.Parent)
	opened.Store(&call)
	stream := &Stream{}
	err := withStrings(func(c []*C.char) error {
		reads, err := call.responseCodec()
		if err != nil {
			return err
		}
		defer C.nemo_relay_codec_free(reads)
		provider, codec := keep(call.Provider), call.keptCodec()
		err = checked(func() C.NemoRelayStatus {
			parent, flags := call.Parent.pointer(), call.flags()
			return C.bridge_stream_call(
				c[0], c[1], parent, flags, c[4], c[2], c[3], provider, codec, reads, &stream.native,
			)
		})
		takeBack(err, provider, codec)
		return err
	}, call.arguments()...)
	runtime.SetFinalizer(stream, (*Stream).Drop)
	return stream, err
}

// Next returns the next chunk, once it is there; at the end there is none. Its error is a Failure.
func (s *Stream) Next() (chunk json.RawMessage, there bool, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer runtime.KeepAlive(s)
	var out *C.char
	switch got := C.nemo_relay_stream_next(s.native, &out); {
	case got < 0:
		return nil, false, Failure(lastError())
	case got == 0:
		return nil, false, nil
	}
	defer C.nemo_relay_string_free(out)
	return json.RawMessage(text(out)), true, nil
}

// Close stops the stream and waits until that is done.
func (s *Stream) Close() error {
	defer runtime.KeepAlive(s)
	return checked(func() C.NemoRelayStatus { return C.nemo_relay_stream_close(s.native) })
}

// Drop frees the stream.
func (s *Stream) Drop() {
	C.nemo_relay_stream_free(s.native)
	s.native = nil
}
