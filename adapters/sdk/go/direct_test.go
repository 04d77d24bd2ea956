package adapter

import (
	"strconv"
	"strings"
	"testing"
)

func TestTheLoopActsScenariosOverAndOver(t *testing.T) {
	asked := `{"suite":"sums","scenarios":[{"n":1},{"n":2}],"warm_up":1,"count":3}` + "\n"
	var told strings.Builder
	connect := func() (Driver, error) { return echo{}, nil }
	if err := direct(strings.NewReader(asked), &told, connect); err != nil {
		t.Fatal(err)
	}
	seconds, err := strconv.ParseFloat(strings.TrimSuffix(told.String(), "\n"), 64)
	if err != nil || seconds <= 0 {
		t.Fatalf("not seconds: %q", told.String())
	}
}

func TestTheLoopEndsWithAReason(t *testing.T) {
	connect := func() (Driver, error) { return echo{}, nil }
	for _, asked := range []string{"{", `{"scenarios":[]}`, `{"scenarios":[{"end":"fault"}],"count":1}`} {
		if err := direct(strings.NewReader(asked), &strings.Builder{}, connect); err == nil {
			t.Errorf("%s was acted out", asked)
		}
	}
}
