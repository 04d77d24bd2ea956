// Package adapter is what a Go program needs to be a bindproof adapter: the protocol, and what it says of itself and of
// values. An adapter gives Serve a Driver. What the adapters of one suite alone share is a package below this one, named
// as the suite is.
//
// It needs the standard library only.
package adapter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
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
func Serve(name, version string, connect func() (Driver, error)) error {
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
	connect       func() (Driver, error)
	driver        Driver
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
	var asked struct{ ID, Method, Params json.RawMessage }
	err := json.Unmarshal(line, &asked)
	var broken *json.SyntaxError
	if errors.As(err, &broken) {
		return failure(null, refusal{parseError, fmt.Sprintf("not JSON: %.80q", line)})
	}
	if err != nil || !isNumber(asked.ID) {
		return failure(null, refusal{invalidRequest, "not a JSON-RPC request with an integer id"})
	}
	result, err := s.result(textOf(asked.Method), asked.Params)
	if err != nil {
		return failure(asked.ID, err)
	}
	reply := append(append(s.reply[:0], `{"jsonrpc":"2.0","id":`...), asked.ID...)
	s.reply = append(append(append(reply, `,"result":`...), result...), '}')
	return s.reply
}

func failure(id json.RawMessage, err error) []byte {
	code := adapterFault
	var refused refusal
	if errors.As(err, &refused) {
		code = refused.code
	}
	return written(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": err.Error()},
	})
}

func (s *session) result(method string, params json.RawMessage) (result json.RawMessage, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s", broken, debug.Stack())
			err = Fault{fmt.Sprintf("the adapter panicked: %v", broken)}
		}
	}()
	switch method {
	case "initialize":
		return s.initialize(params)
	case "run":
		return s.run(params)
	case "shutdown":
		s.over = true
		return json.RawMessage("{}"), nil
	}
	return nil, refusal{methodNotFound, fmt.Sprintf("unknown method '%s'", method)}
}

func (s *session) initialize(params json.RawMessage) (json.RawMessage, error) {
	var asked struct {
		Versions json.RawMessage `json:"protocol_versions"`
	}
	var offered []json.RawMessage
	if json.Unmarshal(params, &asked) != nil || json.Unmarshal(asked.Versions, &offered) != nil || !offers(offered) {
		return nil, Fault{fmt.Sprintf("this adapter speaks protocol %d, the harness %s", protocolVersion, asked.Versions)}
	}
	driver, err := s.connect()
	if err != nil {
		return nil, err
	}
	s.driver = driver
	return written(struct {
		ProtocolVersion int `json:"protocol_version"`
		Adapter         any `json:"adapter"`
		Description
	}{protocolVersion, map[string]string{"name": s.name, "version": s.version}, driver.Describe()}), nil
}

func offers(versions []json.RawMessage) bool {
	return slices.ContainsFunc(versions, func(one json.RawMessage) bool { return string(one) == fmt.Sprint(protocolVersion) })
}

func (s *session) run(params json.RawMessage) (json.RawMessage, error) {
	var asked struct{ Suite, Scenario json.RawMessage }
	_ = json.Unmarshal(params, &asked) // what is no object has neither
	switch {
	case s.driver == nil:
		return nil, refusal{invalidRequest, "`run` before a successful `initialize`"}
	case !bytes.HasPrefix(asked.Suite, []byte(`"`)) || !bytes.HasPrefix(asked.Scenario, []byte("{")):
		return nil, refusal{invalidParams, "`run` takes a suite's name and a scenario"}
	}
	observation, err := s.driver.Run(textOf(asked.Suite), asked.Scenario)
	var unsupported Unsupported
	var inexpressible Inexpressible
	switch {
	case errors.As(err, &unsupported):
		return written(map[string]any{"unsupported": unsupported}), nil
	case errors.As(err, &inexpressible):
		return written(map[string]any{"inexpressible": inexpressible}), nil
	case err != nil:
		return nil, err
	}
	return append(append([]byte(`{"observation":`), observation...), '}'), nil
}

var null = json.RawMessage("null")

func isNumber(text json.RawMessage) bool {
	var number json.Number
	return !bytes.HasPrefix(text, []byte(`"`)) && json.Unmarshal(text, &number) == nil && number != ""
}

// textOf returns the text that a JSON string says; of what is none, the empty one.
func textOf(told json.RawMessage) string {
	var text string
	_ = json.Unmarshal(told, &text)
	return text
}

// written is a message of ours as JSON on one line; all of its parts have such a form.
func written(message any) json.RawMessage {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(message); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
}
