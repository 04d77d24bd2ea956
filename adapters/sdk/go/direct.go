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

// directly is the word on the command line that asks for a loop without protocol: what the target costs by itself, for
// benchmarks.
const directly = "--direct"

// A looped is the one line that such a loop is asked by: scenarios as the harness sends them, and how many to act out.
type looped struct {
	Suite     string
	Scenarios []json.RawMessage
	WarmUp    int `json:"warm_up"`
	Count     int
}

// direct reads one line and writes the seconds that count of its scenarios took.
func direct(input io.Reader, output io.Writer, connect func() (Driver, error)) error {
	line, err := bufio.NewReader(input).ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	var asked looped
	if err := json.Unmarshal(line, &asked); err != nil {
		return err
	}
	if len(asked.Scenarios) == 0 {
		return errors.New("there are no scenarios")
	}
	driver, err := connect()
	if err != nil {
		return err
	}
	if err := asked.act(driver, 0, asked.WarmUp); err != nil {
		return err
	}
	began := time.Now()
	if err := asked.act(driver, asked.WarmUp, asked.Count); err != nil {
		return err
	}
	_, err = fmt.Fprintln(output, time.Since(began).Seconds())
	return err
}

// act acts count scenarios out, over and over from the one at first.
func (l looped) act(driver Driver, first, count int) error {
	for next := first; next < first+count; next++ {
		if _, err := driver.Run(l.Suite, l.Scenarios[next%len(l.Scenarios)]); err != nil {
			return err
		}
	}
	return nil
}

func asksForLoop() bool { return len(os.Args) > 1 && os.Args[1] == directly }
