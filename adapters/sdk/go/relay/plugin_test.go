package relay

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A fake binding that installs plugins; what one registers it finds again by the plugin's name.
type installer struct {
	*fake
	stuck bool
}

type fakeContext struct{ fake *fake }

func (c fakeContext) RegisterSubscriber(step Step, sink *Sink) (func() error, error) {
	step.Name = inPlugin + step.Name
	_, err := c.fake.RegisterSubscriber(step, sink)
	return nil, err
}

func (c fakeContext) Register(step Step, callback *Callback) (func() error, error) {
	if step.Family != "llm.request" {
		return nil, unsupported(step.Family, "this family is not built yet")
	}
	step.Name = inPlugin + step.Name
	_, err := c.fake.Register(step, callback)
	return nil, err
}

func (i installer) Install(plugins []string, setUp func(string, Registrar) error) (func() error, error) {
	takeBack := func() error {
		if i.stuck {
			return errors.New("it stays")
		}
		for name := range i.sinks {
			if strings.HasPrefix(name, inPlugin) {
				delete(i.sinks, name)
			}
		}
		i.intercepts = slices.DeleteFunc(i.intercepts, func(name string) bool { return strings.HasPrefix(name, inPlugin) })
		return nil
	}
	for _, plugin := range plugins {
		if err := setUp(plugin, fakeContext{i.fake}); err != nil {
			return nil, errors.Join(fmt.Errorf("registration failed: %w", err), takeBack())
		}
	}
	return takeBack, nil
}

func install(as, do string) string {
	return `{"step":"install","as":"` + as + `","plugins":["p"],"do":[` + do + `]}`
}

func inside(step string) string { return `{"op":"step","step":` + step + `}` }

const uninstall = `{"step":"uninstall","as":"u","of":"p"}`

func TestAPluginRegistersThroughItsContext(t *testing.T) {
	again := strings.Replace(call, `"c"`, `"c2"`, 1)
	// The subscriber is told on another goroutine: only a flush says that the event of the first call came before the rest.
	flush := `{"step":"flush","as":"f"}`
	got := run(NewActor(installer{fake: newFake()}),
		install("p", inside(intercept(``))+`,`+inside(subscriber)), call, flush, uninstall, again)
	wants(t, got, `{"log":[{"fact":"enter","callback":"p","k":0,"given":{"plugin":"p"}},`+
		`{"fact":"done","step":"i","value":null},{"fact":"done","step":"s","value":null},`+
		`{"fact":"leave","callback":"p","k":0,"reply":null},{"fact":"done","step":"p","value":null},`+
		`{"fact":"enter","callback":"i","k":0,`,
		`{"fact":"done","step":"u","value":null},{"fact":"enter","callback":"c2.provider"`, `"left":[],"stray":[]`)
}

func TestAPluginThatIsLeftGoesWithTheScenario(t *testing.T) {
	f := newFake()
	s := NewActor(installer{fake: f})
	wants(t, run(s, install("p", inside(subscriber))), `"left":[],"stray":[]`)
	f.keepSink.Put([]byte(`{"late":1}`))
	wants(t, run(s, install("p", inside(subscriber))), `"left":[],"stray":[{"fact":"event","subscriber":"s","event":{"late":1}}]`)
	wants(t, run(NewActor(installer{fake: newFake(), stuck: true}), install("p", inside(subscriber))),
		`"left":[{"family":"subscriber","name":"s"}]`)
}

func TestWhatStopsAPlugin(t *testing.T) {
	s := NewActor(installer{fake: newFake()})
	stream := strings.Replace(intercept(``), "llm.request", "llm.stream", 1)
	wants(t, run(s, install("p", inside(stream))), `{"adapter.Unsupported":"llm.stream: `)
	wants(t, run(s, install("p", inside(helper))), `{"adapter.Unsupported":"reentrant: `)
	wants(t, run(s, install("p", inside(subscriber)), uninstall), `"left":[],"stray":[]`)
}
