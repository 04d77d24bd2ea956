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
	reply         []byte // the last one, whose room the next one takes
}

// A refusal is an error of the protocol, with its code.
type refusal struct {
	code int
	text string
}

func (r refusal) Error() string { return r.text }

// answer returns the reply to one line; it stays as it is until the next line is answered.
func (s *session) answer(line []byte) []byte {
	message, err := parse(line)
	if err != nil {
		return failure(nil, refusal{parseError, err.Error()})
	}
	id, err := member(message, "id")
	if _, isNumber := id.(json.Number); err != nil || !isNumber {
		return failure(nil, refusal{invalidRequest, "not a JSON-RPC request with an integer id"})
	}
	reply := append(appendValue(append(s.reply[:0], `{"jsonrpc":"2.0","id":`...), id), `,"result":`...)
	reply, err = s.result(reply, textAt(message, "method"), partOf(message, "params"))
	if err != nil {
		return failure(id, err)
	}
	s.reply = append(reply, '}')
	return s.reply
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

// result appends what a request is answered with.
func (s *session) result(to []byte, method string, params *Object) (result []byte, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s", broken, debug.Stack())
			err = faultf("the adapter panicked: %v", broken)
		}
	}()
	switch method {
	case "initialize":
		result, err = s.initialize(params)
		return append(to, result...), err
	case "run":
		return s.run(to, params)
	case "shutdown":
		s.over = true
		return append(to, "{}"...), nil
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

func (s *session) run(to []byte, params *Object) ([]byte, error) {
	scenario, isObject := params.values["scenario"].(*Object)
	_, isText := params.values["suite"].(string)
	switch {
	case s.actor == nil:
		return nil, refusal{invalidRequest, "`run` before a successful `initialize`"}
	case !isObject || !isText:
		return nil, refusal{invalidParams, "`run` takes a suite's name and a scenario"}
	}
	told, err := s.actor.run(append(to, `{"observation":`...), scenario)
	var unsupported Unsupported
	var inexpressible Inexpressible
	switch {
	case errors.As(err, &unsupported):
		why := object("capability", unsupported.Capability, "reason", unsupported.Reason)
		return appendValue(to, object("unsupported", why)), nil
	case errors.As(err, &inexpressible):
		why := object("path", inexpressible.Path, "reason", inexpressible.Reason)
		return appendValue(to, object("inexpressible", why)), nil
	case err != nil:
		return nil, err
	}
	return append(told, '}'), nil
}
