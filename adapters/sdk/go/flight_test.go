package adapter

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// flying is a call in the background whose provider waits at latches.
func flying(id, name string, latches ...string) string {
	waits := make([]string, len(latches))
	for i, latch := range latches {
		waits[i] = fmt.Sprintf(`{"op":"wait","latch":"%s"}`, latch)
	}
	return fmt.Sprintf(`{"step":"call","as":"%s","kind":"llm","name":"%s","request":{"headers":{},"content":1},"model":null,`+
		`"codec":"none","background":true,"provider":[%s]}`, id, name, strings.Join(waits, ","))
}

func open(latch string) string {
	return fmt.Sprintf(`{"step":"open","as":"open %s","latch":"%s"}`, latch, latch)
}

// seen are the facts of a scenario's log but the last, each with whose it is.
func seen(t *testing.T, steps ...string) []string {
	t.Helper()
	var reply struct {
		Result struct {
			Observation struct {
				Log []struct{ Fact, Callback, Step string }
			}
		}
	}
	got := run(start(&fake{sinks: map[string]*Sink{}, callbacks: map[string]*Callback{}, flying: true}), steps...)
	if err := json.Unmarshal([]byte(got), &reply); err != nil {
		t.Fatal(err)
	}
	log := reply.Result.Observation.Log
	if len(log) == 0 {
		t.Fatal(got)
	}
	told := make([]string, len(log)-1)
	for i := range told {
		told[i] = log[i].Fact + " " + log[i].Callback + log[i].Step
	}
	return told
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTheProgramGoesOnWhileACallStands(t *testing.T) {
	same(t, seen(t, flying("a", "gpt", "x"), call, open("x")),
		"enter a.provider", "wait a.provider", "enter c.provider", "leave c.provider", "done c",
		"resume a.provider", "leave a.provider", "done a", "done open x")
}

func TestWhoCameFirstGoesOnFirstUntilItStandsAgain(t *testing.T) {
	same(t, seen(t, flying("a", "gpt", "x", "y"), flying("b", "gpt", "x"), open("x"))[4:10],
		"resume a.provider", "wait a.provider", "resume b.provider", "leave b.provider", "done b", "done open x")
}

func TestWhatStaysClosedIsOpenedAtTheEnd(t *testing.T) {
	same(t, seen(t, flying("a", "gpt", "x"), flying("b", "gpt", "y"))[4:],
		"resume a.provider", "leave a.provider", "done a", "resume b.provider", "leave b.provider", "done b")
}

func TestAtAnOpenLatchNobodyStands(t *testing.T) {
	same(t, seen(t, open("x"), flying("a", "gpt", "x")),
		"done open x", "enter a.provider", "leave a.provider", "done a")
}

func TestACallInFlightIsMadeOnTheSameScopeStack(t *testing.T) {
	binding := newFake()
	binding.flying = true
	s := start(binding)
	wants(t, run(s, flying("a", "gpt"), call), `{"fact":"done","step":"a","value":{"ok":true}}`)
	if binding.beside != 1 {
		t.Errorf("%d calls were made beside the program", binding.beside)
	}
	wants(t, run(s, flying("a", "panics")), `"message":"step 'a': the adapter panicked: boom"`)
	wants(t, run(s, call), `{"fact":"done","step":"c","value":{"ok":true}}`)
}

func TestAProgramThatWouldHangIsAtFault(t *testing.T) {
	binding := newFake()
	binding.flying = true
	waited := strings.Replace(flying("a", "gpt", "x"), `"background":true`, `"background":false`, 1)
	wants(t, run(start(binding), waited),
		`"message":"callback 'a.provider' waits at 'x', and the program waits for it"`)
}
