package adapter

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"syscall"
)

// A channel is the two pipes to the harness, kept from everybody else in the process, C code included: once it is open,
// fd 0 is empty and fd 1 is stderr.
type channel struct {
	input  *bufio.Reader
	output *os.File
}

func openChannel() (*channel, error) {
	input, err := syscall.Dup(0)
	if err != nil {
		return nil, err
	}
	output, err := syscall.Dup(1)
	if err != nil {
		return nil, err
	}
	empty, err := syscall.Open(os.DevNull, syscall.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(replace(2, 1), replace(empty, 0), syscall.Close(empty)); err != nil {
		return nil, err
	}
	syscall.CloseOnExec(input)
	syscall.CloseOnExec(output)
	reader := bufio.NewReaderSize(os.NewFile(uintptr(input), "harness"), 1<<16)
	return &channel{reader, os.NewFile(uintptr(output), "harness")}, nil
}

// line returns the next line without its line feed, which alone ends it; nil at the end.
func (c *channel) line() ([]byte, error) {
	line, err := c.input.ReadBytes('\n')
	if errors.Is(err, io.EOF) {
		err = nil
		if len(line) == 0 {
			return nil, nil
		}
	}
	return bytes.TrimSuffix(line, []byte("\n")), err
}

func (c *channel) write(line []byte) error {
	_, err := c.output.Write(append(line, '\n'))
	return err
}
