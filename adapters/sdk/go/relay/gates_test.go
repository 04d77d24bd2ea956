package relay

import (
	"errors"
	"testing"
)

// A gated binding asks each gate when it is taken back: about its target and about another name.
type gated struct {
	installer
	targets []string
}

func (g *gated) Gate(step Step, decide Decide) (func() (bool, error), error) {
	g.targets = append(g.targets, step.Target)
	return func() (bool, error) {
		for _, name := range []string{step.Target, "another", step.Target} {
			if _, err := decide([]string{"subscriber", "llm.request"}, name); err != nil && err.Error() != "boom-1!" {
				return false, err
			}
		}
		return true, nil
	}, nil
}

func gateAbout(plugin string) string {
	return `{"step":"gate","as":"g","name":"g","families":["llm.request"],"target":"i","plugin":` + plugin +
		`,"reason":"ill","raises":null}`
}

const (
	ungate  = `{"step":"ungate","as":"u","of":"g"}`
	listing = `{"step":"list","as":"l","only":"llm.request"}`
)

func TestAGateOfTheProgramsOwnIsAboutTheNameItself(t *testing.T) {
	g := &gated{installer: installer{fake: newFake()}}
	wants(t, run(NewActor(g), install("p", inside(intercept(``))), gateAbout("null"), ungate),
		`{"fact":"done","step":"u","value":{"was":true,"given":[{"families":["llm.request","subscriber"],"name":"i"},`+
			`{"families":["llm.request","subscriber"],"name":"another"}]}}`)
	if len(g.targets) != 1 || g.targets[0] != "i" {
		t.Errorf("about %v", g.targets)
	}
}

func TestAGateAboutWhatAPluginRegisteredTakesTheNameOfTheListing(t *testing.T) {
	g := &gated{installer: installer{fake: newFake()}}
	got := run(NewActor(g), intercept(``), install("p", inside(intercept(``))), listing, gateAbout(`"p"`), ungate)
	wants(t, got,
		`{"fact":"done","step":"l","value":[{"family":"llm.request","name":"i"},`+
			`{"family":"llm.request","name":"i","plugin":"p","number":2}]}`,
		`{"fact":"done","step":"u","value":{"was":true,"given":[`+
			`{"families":["llm.request","subscriber"],"name":"i","plugin":"p"},`+
			`{"families":["llm.request","subscriber"],"name":"another"}]}}`)
	if len(g.targets) != 1 || g.targets[0] != "plugin/i" {
		t.Errorf("about %v", g.targets)
	}
}

func TestAGateAboutWhatNoPluginHasFails(t *testing.T) {
	g := &gated{installer: installer{fake: newFake()}}
	got := run(NewActor(g), intercept(``), install("p", inside(subscriber)), gateAbout(`"p"`), ungate)
	wants(t, got, `"message":"nothing is listed as 'i' of the plugin 'p'"`, `"message":"step 'u': 'g' has failed"`)
	if len(g.targets) > 0 {
		t.Errorf("about %v", g.targets)
	}
}

func TestAGateFailsWithTheListing(t *testing.T) {
	p := newPerformance(unlisted{newFake()}, newRecorder(&strays{}))
	step, _ := parse([]byte(gateAbout(`"p"`)))
	if _, err := p.target(step, Step{Families: []string{"llm.request"}}); err == nil || err.Error() != "no listing" {
		t.Errorf("got %v", err)
	}
}

type unlisted struct{ *fake }

func (unlisted) Registered(string) ([]Registration, error) { return nil, errors.New("no listing") }

func TestWhatIsLeftIsCountedByFamilyAndName(t *testing.T) {
	before := []Registration{{Family: "subscriber", Name: "s", Effective: "s"}}
	owned := Registration{Family: "subscriber", Name: "s", Effective: "x", Plugin: "p", Number: 1}
	if more := less([]Registration{owned}, before); len(more) > 0 {
		t.Errorf("got %v", more)
	}
	got := string(entries(less(append(before, owned), before), bare))
	if got != `[{"family":"subscriber","name":"s"}]` {
		t.Errorf("got %s", got)
	}
}
