package adapter

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// An echo observes each scenario as it was sent, unless that says how to end.
type echo struct{}

func (echo) Describe() Description { return ThroughC("sums", "mine", "1", "wire") }

func (echo) Run(suite string, scenario json.RawMessage) (json.RawMessage, error) {
	var asked struct{ End string }
	_ = json.Unmarshal(scenario, &asked)
	switch asked.End {
	case "unsupported":
		return nil, fmt.Errorf("wrapped: %w", Unsupported{"steps", "there are none"})
	case "inexpressible":
		return nil, Inexpressible{"n", "no such number"}
	case "fault":
		return nil, Fault{"it is mine"}
	case "error":
		return nil, errors.New("<whatever>")
	case "panic":
		panic("boom")
	}
	return json.RawMessage(fmt.Sprintf(`{"suite":%q,"scenario":%s}`, suite, scenario)), nil
}

func begun(t *testing.T) *session {
	t.Helper()
	s := &session{name: "t", version: "2", connect: func() (Driver, error) { return echo{}, nil }}
	wants(t, s, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol_versions":[1,2]}}`,
		`"adapter":{"name":"t","version":"2"}`, `"protocol_version":1`,
		`"target":{"name":"mine","version":"1","language":"go","runtime":"go`,
		`"suites":{"sums":{"dialect":"wire","capabilities":[]}}`)
	return s
}

func wants(t *testing.T, s *session, line string, parts ...string) {
	t.Helper()
	got := string(s.answer([]byte(line)))
	if !json.Valid([]byte(got)) {
		t.Errorf("no JSON: %s", got)
	}
	for _, part := range parts {
		if !strings.Contains(got, part) {
			t.Errorf("%s lacks %s", got, part)
		}
	}
}

func TestTheProtocol(t *testing.T) {
	for line, want := range map[string]string{
		`nonsense`:                  `"id":null`,
		`{`:                         `"code":-32700`,
		`{}`:                        `"code":-32600`,
		`[1]`:                       `"code":-32600`,
		`{"id":"3"}`:                `"code":-32600`,
		`{"id":3}`:                  `"code":-32601`,
		`{"id":3,"method":"dance"}`: `"id":3`,
		`{"id":3,"method":"run","params":{"suite":"sums","scenario":{}}}`:          `"code":-32600`,
		`{"id":3,"method":"initialize"}`:                                           `"code":-32000`,
		`{"id":3,"method":"initialize","params":{"protocol_versions":[2]}}`:        "this adapter speaks protocol 1, the harness [2]",
		`{"id":3,"method":"initialize","params":{"protocol_versions":[1,2]}}`:      `no <library>`,
		`{"jsonrpc":"2.0","id":12345678901234567890,"method":"shutdown"}`:          `"id":12345678901234567890,"result":{}`,
		`{"jsonrpc":"2.0","id":4,"method":"shutdown","params":{"text":"\u2028a"}}`: `"id":4,"result":{}`,
	} {
		wants(t, &session{connect: func() (Driver, error) { return nil, errors.New("no <library>") }}, line, want)
	}
	s := begun(t)
	wants(t, s, `{"id":5,"method":"run","params":{"suite":7,"scenario":{}}}`, `"code":-32602`)
	wants(t, s, `{"id":5,"method":"run","params":{"suite":"sums","scenario":7}}`, `"code":-32602`)
	wants(t, s, `{"id":5,"method":"run"}`, `"code":-32602`)
	wants(t, s, `{"id":6,"method":"shutdown"}`, `"result":{}`)
	if !s.over {
		t.Error("shutdown does not end it")
	}
}

func TestAScenarioPassesThroughUnharmed(t *testing.T) {
	wants(t, begun(t), `{"id":2,"method":"run","params":{"suite":"sums","scenario":{"b":1.50,"a":"\ud83d"}}}`,
		`{"jsonrpc":"2.0","id":2,"result":{"observation":{"suite":"sums","scenario":{"b":1.50,"a":"\ud83d"}}}}`)
}

func TestHowAScenarioMayEnd(t *testing.T) {
	for end, want := range map[string]string{
		"unsupported":   `"result":{"unsupported":{"capability":"steps","reason":"there are none"}}`,
		"inexpressible": `"result":{"inexpressible":{"path":"n","reason":"no such number"}}`,
		"fault":         `"error":{"code":-32000,"message":"it is mine"}`,
		"error":         `"error":{"code":-32000,"message":"<whatever>"}`,
		"panic":         `"error":{"code":-32000,"message":"the adapter panicked: boom"}`,
	} {
		wants(t, begun(t), `{"id":2,"method":"run","params":{"suite":"sums","scenario":{"end":"`+end+`"}}}`, want)
	}
}
