package relay

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A full binding has lifecycles as well, and remembers what it was asked.
type full struct {
	*fake
	asked []string
}

func (f *full) note(format string, parts ...any) {
	f.asked = append(f.asked, fmt.Sprintf(format, parts...))
}

func (f *full) Register(step Step, callback *Callback) (func() error, error) {
	f.note("%s on %v as %s", step.Family, step.Scope, callback.name)
	return func() error { f.note("no %s", step.Name); return nil }, nil
}

func (f *full) CallTool(step Step, provider *Callback) (json.RawMessage, error) {
	f.note("call in %v with %s and %s", step.Parent, step.Metadata, *step.ToolCallID)
	return provider.ToolProvider(step.Args)
}

func (f *full) Start(step Step) (any, error) {
	if step.Name == "refused" {
		return nil, errors.New("no such start")
	}
	f.note("start %s %s in %v with %s", step.Kind, step.Name, step.Parent, step.Input)
	return "handle of " + step.Name, nil
}

func (f *full) End(step Step) error {
	f.note("end %s, %v with %s", step.Kind, step.Of, step.Output)
	return nil
}

func (f *full) Current() (Scope, error) { return Scope{"u", "n"}, nil }

func (f *full) Mark(step Step) error {
	f.note("mark %s in %v with %s and %s", step.Name, step.Parent, step.Data, *step.Severity)
	return nil
}

func scope(name, parent string) string {
	return `{"step":"start","as":"` + name + `","kind":"scope","name":"` + name + `","type":"agent","input":{"$get":"c/result/ok"},"metadata":null,"parent":` + parent + `}`
}

const tool = `{"step":"call","as":"c","kind":"tool","name":"t","args":[1],"tool_call_id":"x","metadata":{"m":1},"parent":null,"provider":[]}`

func TestHandlesGoWhereAStepNamesWhatWasStarted(t *testing.T) {
	f := &full{fake: newFake()}
	owned := strings.Replace(intercept(""), `"global"`, `"B"`, 1)
	got := run(NewActor(f), tool, scope("A", "null"), scope("B", `"A"`), strings.Replace(owned, "llm.request", "mark.sanitize", 1),
		`{"step":"deregister","as":"d","of":"i"}`, `{"step":"deregister","as":"e","of":"i"}`,
		`{"step":"mark","as":"m","name":"m","data":null,"metadata":null,"data_schema":null,"severity":"warn","parent":"A"}`,
		`{"step":"end","as":"e","of":"B","output":{"$get":"c"},"annotation":null,"metadata":null}`)
	wants(t, got, `{"fact":"done","step":"d","value":null}`, `{"fact":"enter","callback":"c.provider","k":0,"given":{"args":[1]}}`)
	want := []string{
		`call in <nil> with {"m":1} and x`,
		"start scope A in <nil> with true", "start scope B in handle of A with true",
		"mark.sanitize on handle of B as i.sanitize", "no i", "no i",
		"mark m in handle of A with  and warn",
		`end scope, handle of B with {"result":{"ok":true},"annotation":null}`,
		"no i",
	}
	if strings.Join(f.asked, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", f.asked)
	}
}

func TestCallbacksOfPublicationHaveIdsOfTheirOwn(t *testing.T) {
	for family, want := range map[string]string{
		"event.metadata": ".inject", "end.sanitize": ".sanitize", "tool.sanitize_result": ".sanitize", "tool.execution": "",
	} {
		if got := published(family); got != want {
			t.Errorf("%s: %q", family, got)
		}
	}
}

func TestNamesOfTheListing(t *testing.T) {
	program := Owner{Kind: "global_api"}
	want := Registration{Family: "end.sanitize", Name: "a", Effective: "a"}
	if one := Listed("scope_sanitize_end_guardrail", "a", "a", program); one != want {
		t.Errorf("got %v", one)
	}
	if one := Listed("new_kind", "a", "a", program); one.Family != "new_kind" || KindOf("new") != "" {
		t.Errorf("got %v", one)
	}
	for kind, family := range families {
		if KindOf(family) != kind || FamilyOf(kind) != family {
			t.Errorf("%s is not %s", family, kind)
		}
	}
}

func TestTheListingTellsWhoseARegistrationIs(t *testing.T) {
	ours, other, second := PluginKind("b"), "switchyard", uint32(2)
	for _, one := range []struct {
		owner  Owner
		plugin string
		number int
	}{
		{Owner{"plugin", &ours, &second}, "b", 2},
		{Owner{"plugin", &ours, nil}, "b", 0},
		{Owner{"plugin", &other, &second}, "switchyard", 2},
		{Owner{"core", nil, nil}, "", 0},
	} {
		want := Registration{"llm.request", "i", "v1:b:i", one.plugin, one.number}
		if got := Listed("llm_request_intercept", "i", "v1:b:i", one.owner); got != want {
			t.Errorf("got %v, wants %v", got, want)
		}
	}
}
