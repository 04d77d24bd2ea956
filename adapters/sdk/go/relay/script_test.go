package relay

import (
	"errors"
	"testing"

	"bindproof/adapter"
)

func played(t *testing.T, ops, reply string) (string, error) {
	t.Helper()
	given := mustParse(t, `{"request":{"headers":{"h":"1"},"content":[1,2]}}`)
	names := func(name string) (value, bool) { return given, name == "given" }
	act := func(value) error { return unsupported("reentrant", "no") }
	left, err := perform("i", mustParse(t, ops).(*List), mustParse(t, reply), names, act)
	if err != nil {
		return "", err
	}
	return string(textOf(left)), nil
}

func TestEdits(t *testing.T) {
	const reply = `{"a":{"b":[1]},"x/y":{"m~n":0}}`
	for _, one := range []struct{ op, want string }{
		{`{"op":"edit"}`, reply},
		{`{"op":"edit","set":{"":null}}`, `null`},
		{`{"op":"edit","set":{"/a/new":1.0}}`, `{"a":{"b":[1],"new":1.0},"x/y":{"m~n":0}}`},
		{`{"op":"edit","set":{"/a/b/0":"z"}}`, `{"a":{"b":["z"]},"x/y":{"m~n":0}}`},
		{`{"op":"edit","set":{"/x~1y/m~0n":1}}`, `{"a":{"b":[1]},"x/y":{"m~n":1}}`},
		{`{"op":"edit","remove":["/a/b/0","/x~1y"]}`, `{"a":{"b":[]}}`},
		{`{"op":"edit","append":{"/a/b":[2,{"c":3}]}}`, `{"a":{"b":[1,2,{"c":3}]},"x/y":{"m~n":0}}`},
		{`{"op":"edit","set":{"/a":{"$get":"given/request/content/1"}}}`, `{"a":2,"x/y":{"m~n":0}}`},
		{`{"op":"edit","set":{"/a":{"$get":"given/request","also":1}}}`, `{"a":{"$get":"given/request","also":1},"x/y":{"m~n":0}}`},
		{`{"op":"edit","set":{"/a":[]},"remove":["/x~1y"],"append":{"/a":[{"$get":"given/request/headers"}]}}`, `{"a":[{"h":"1"}]}`},
	} {
		if got, err := played(t, "["+one.op+"]", reply); err != nil || got != one.want {
			t.Errorf("%s: got %s, %v", one.op, got, err)
		}
	}
}

func TestABadOpIsNamed(t *testing.T) {
	for op, want := range map[string]string{
		`{"op":"edit","set":{"/no/where":1}}`:                  `callback 'i', op 1, pointer '/no/where': there is no member 'no'`,
		`{"op":"edit","set":{"/list/1":1}}`:                    `callback 'i', op 1, pointer '/list/1': a list of 1 has no index '1'`,
		`{"op":"edit","set":{"/list/00":1}}`:                   `callback 'i', op 1, pointer '/list/00': a list of 1 has no index '00'`,
		`{"op":"edit","set":{"/list/0/x":1}}`:                  `callback 'i', op 1, pointer '/list/0/x': 7 has no member 'x'`,
		`{"op":"edit","set":{"list":1}}`:                       `callback 'i', op 1, pointer 'list': a pointer is empty or begins with /`,
		`{"op":"edit","remove":["/nothing"]}`:                  `callback 'i', op 1, pointer '/nothing': there is no member 'nothing'`,
		`{"op":"edit","remove":[""]}`:                          `callback 'i', op 1, pointer '': the whole document cannot be removed`,
		`{"op":"edit","append":{"":[1]}}`:                      `callback 'i', op 1, pointer '': there is no list there`,
		`{"op":"edit","set":{"/list":{"$get":"given/no"}}}`:    `callback 'i', op 1, pointer '/list': $get 'given/no': there is no member 'no'`,
		`{"op":"edit","set":{"/list":{"$get":"later/value"}}}`: `callback 'i', op 1, pointer '/list': $get 'later/value': nothing is called 'later' here`,
		`{"op":"dance"}`:                                       `callback 'i', op 1: unknown op 'dance'`,
	} {
		_, err := played(t, `[{"op":"edit"},`+op+`]`, `{"list":[7]}`)
		var fault adapter.Fault
		if !errors.As(err, &fault) || err.Error() != want {
			t.Errorf("%s: %v", op, err)
		}
	}
}

func TestWhatEndsACallback(t *testing.T) {
	_, err := played(t, `[{"op":"raise","text":"boom-1!"}]`, `{}`)
	var scripted *ScriptedError
	if !errors.As(err, &scripted) || err.Error() != "boom-1!" {
		t.Errorf("raise: %v", err)
	}
	_, err = played(t, `[{"op":"edit","set":{"":{"deep":[{"$none":true}]}}}]`, `{}`)
	var inexpressible adapter.Inexpressible
	if !errors.As(err, &inexpressible) || inexpressible.Path != "$none" {
		t.Errorf("undefined: %v", err)
	}
	_, err = played(t, `[{"op":"step","step":{"step":"call"}}]`, `{}`)
	var unsupported adapter.Unsupported
	if !errors.As(err, &unsupported) {
		t.Errorf("step: %v", err)
	}
}

func TestNaturalRepliesOfACodec(t *testing.T) {
	for content, want := range map[string]string{
		`{"messages":[1],"model":null,"more":2}`: `{"messages":[1],"model":null}`,
		`{"messages":null}`:                      `{"messages":[]}`,
		`{}`:                                     `{"messages":[]}`,
		`"text"`:                                 `{"messages":[]}`,
	} {
		if got := string(decoded([]byte(content))); got != want {
			t.Errorf("decoded %s: %s", content, got)
		}
	}
	if got := string(encoded([]byte(`{"b":3,"c":4}`), []byte(`{"a":1,"b":2}`))); got != `{"a":1,"b":3,"c":4}` {
		t.Errorf("encoded: %s", got)
	}
}

func TestOnly(t *testing.T) {
	natural, _ := jsonOf(map[string]any{"headers": map[string]int{"h": 1}, "content": 1})
	for reply, want := range map[string]string{
		`{"content":{"x":1},"headers":{"h":1}}`: `{"x":1}`,
		`{"content":null,"headers":{"h":1}}`:    `null`,
		`{"content":1,"headers":{"h":2}}`:       ``,
		`{"content":1}`:                         ``,
		`{"headers":{"h":1}}`:                   ``,
		`{"content":1,"headers":{"h":1},"x":1}`: ``,
		`null`:                                  ``,
	} {
		got, ok := only([]byte(reply), "content", natural)
		if string(got) != want || ok != (want != "") {
			t.Errorf("%s: %s, %t", reply, got, ok)
		}
	}
}
