package adapter

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// directly is the word on the command line that asks for a loop without protocol: what the binding costs by itself, for
// benchmarks.
const directly = "--direct"

// direct reads one line, `scenarios` as the harness sends them with `warm_up` and `count`, and writes the seconds that
// count of them took.
func direct(input io.Reader, output io.Writer, connect func() (Binding, error)) error {
	line, err := bufio.NewReader(input).ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	asked, err := parse(line)
	if err != nil {
		return err
	}
	scenarios, _ := lookup(asked, "scenarios")
	list, ok := scenarios.(*List)
	if !ok || len(list.items) == 0 {
		return errors.New("there are no scenarios")
	}
	binding, err := connect()
	if err != nil {
		return err
	}
	loop := &loop{actor: &actor{binding, &strays{}}, scenarios: list.items}
	if err := loop.act(countAt(asked, "warm_up")); err != nil {
		return err
	}
	began := time.Now()
	if err := loop.act(countAt(asked, "count")); err != nil {
		return err
	}
	_, err = fmt.Fprintln(output, time.Since(began).Seconds())
	return err
}

// A loop acts scenarios out over and over.
type loop struct {
	actor     *actor
	scenarios []value
	next      int
}

func (l *loop) act(count int64) error {
	for ; count > 0; count-- {
		if _, err := l.actor.run(nil, l.scenarios[l.next%len(l.scenarios)]); err != nil {
			return err
		}
		l.next++
	}
	return nil
}

func countAt(asked value, name string) int64 {
	found, _ := lookup(asked, name)
	number, _ := found.(json.Number)
	count, _ := number.Int64()
	return count
}

func asksForLoop() bool { return len(os.Args) > 1 && os.Args[1] == directly }
