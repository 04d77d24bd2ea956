// Package adapter is what a Go program needs to be a bindproof adapter: the protocol, the log, scripted callbacks, the
// clean slate. An adapter gives Serve a Binding, and is then its binding's API calls and little else.
//
// It needs the standard library only. JSON passes through unharmed: numbers keep their digits and objects their order.
package adapter

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
)

const (
	protocolVersion = 1

	parseError     = -32700
	invalidRequest = -32600
	methodNotFound = -32601
	invalidParams  = -32602
	adapterFault   = -32000
)

// Serve answers the harness until it says `shutdown` or closes the pipe. connect is called at `initialize`; its error
// becomes the answer.
func Serve(name, version string, connect func() (Binding, error)) error {
	if asksForLoop() {
		return direct(os.Stdin, os.Stdout, connect)
	}
	pipes, err := openChannel()
	if err != nil {
		return err
	}
	talk := &session{name: name, version: version, connect: connect}
	for !talk.over {
		line, err := pipes.line()
		if line == nil {
			return err
		}
		if err := pipes.write(talk.answer(line)); err != nil {
			return err
		}
	}
	return nil
}

// A session is one conversation: bytes in, bytes out, one scenario at a time, in order.
type session struct {
	name, version string
	connect       func() (Binding, error)
	actor         *actor
	over          bool
}

// A refusal is an error of the protocol, with its code.
type refusal struct {
	code int
	text string
}

func (r refusal) Error() string { return r.text }

// answer returns the reply to one line.
func (s *session) answer(line []byte) []byte {
	message, err := parse(line)
	if err != nil {
		return failure(nil, refusal{parseError, err.Error()})
	}
	id, err := member(message, "id")
	if _, isNumber := id.(json.Number); err != nil || !isNumber {
		return failure(nil, refusal{invalidRequest, "not a JSON-RPC request with an integer id"})
	}
	result, err := s.result(textAt(message, "method"), partOf(message, "params"))
	if err != nil {
		return failure(id, err)
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

func failure(id value, err error) []byte {
	code := adapterFault
	var refused refusal
	if errors.As(err, &refused) {
		code = refused.code
	}
	reply := object("jsonrpc", "2.0", "id", id, "error", object("code", number(code), "message", err.Error()))
	return appendValue(nil, reply)
}

func (s *session) result(method string, params *Object) (result []byte, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s", broken, debug.Stack())
			err = faultf("the adapter panicked: %v", broken)
		}
	}()
	switch method {
	case "initialize":
		return s.initialize(params)
	case "run":
		return s.run(params)
	case "shutdown":
		s.over = true
		return []byte("{}"), nil
	}
	return nil, refusal{methodNotFound, fmt.Sprintf("unknown method '%s'", method)}
}

func (s *session) initialize(params *Object) ([]byte, error) {
	offered, _ := params.get("protocol_versions")
	if !offers(offered, number(protocolVersion)) {
		return nil, faultf("this adapter speaks protocol %d, the harness %s", protocolVersion, textOf(offered))
	}
	binding, err := s.connect()
	if err != nil {
		return nil, err
	}
	s.actor = &actor{binding, &strays{}}
	return json.Marshal(struct {
		ProtocolVersion int `json:"protocol_version"`
		Adapter         any `json:"adapter"`
		Description
	}{protocolVersion, map[string]string{"name": s.name, "version": s.version}, binding.Describe()})
}

func offers(versions value, wanted json.Number) bool {
	list, ok := versions.(*List)
	if !ok {
		return false
	}
	for _, one := range list.items {
		if one == wanted {
			return true
		}
	}
	return false
}

func (s *session) run(params *Object) ([]byte, error) {
	scenario, isObject := params.values["scenario"].(*Object)
	_, isText := params.values["suite"].(string)
	switch {
	case s.actor == nil:
		return nil, refusal{invalidRequest, "`run` before a successful `initialize`"}
	case !isObject || !isText:
		return nil, refusal{invalidParams, "`run` takes a suite's name and a scenario"}
	}
	observation, err := s.actor.run(scenario)
	var unsupported Unsupported
	var inexpressible Inexpressible
	switch {
	case errors.As(err, &unsupported):
		why := object("capability", unsupported.Capability, "reason", unsupported.Reason)
		return textOf(object("unsupported", why)), nil
	case errors.As(err, &inexpressible):
		why := object("path", inexpressible.Path, "reason", inexpressible.Reason)
		return textOf(object("inexpressible", why)), nil
	case err != nil:
		return nil, err
	}
	return append(append([]byte(`{"observation":`), observation...), '}'), nil
}
