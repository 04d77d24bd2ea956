package relay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// parse reads one JSON text.
func parse(text []byte) (value, error) {
	if !json.Valid(text) || !utf8.Valid(text) {
		return nil, fmt.Errorf("not JSON: %.80q", text)
	}
	r := reader{text: string(text)}
	return r.value()
}

// valueOf turns typed structs with JSON tags, or JSON text as json.RawMessage, into a value.
func valueOf(typed any) (value, error) {
	text, err := jsonOf(typed)
	if err != nil {
		return nil, err
	}
	return parse(text)
}

// jsonOf turns the same into JSON text of one line, which is checked but not read.
func jsonOf(typed any) (json.RawMessage, error) {
	text, isText := typed.(json.RawMessage)
	switch {
	case isText && text == nil:
		return json.RawMessage("null"), nil
	case !isText:
		var buffer bytes.Buffer
		encoder := json.NewEncoder(&buffer)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(typed); err != nil {
			return nil, err
		}
		text = bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
	}
	return oneLine(text)
}

// oneLine checks a JSON text that is to be passed on. One with line feeds or escaped halves of characters is read and
// written anew: neither may reach the harness.
func oneLine(text json.RawMessage) (json.RawMessage, error) {
	if bytes.IndexByte(text, '\n') >= 0 || bytes.Contains(text, []byte(`\ud`)) || bytes.Contains(text, []byte(`\uD`)) {
		read, err := parse(text)
		return textOf(read), err
	}
	if !json.Valid(text) || !utf8.Valid(text) {
		return nil, fmt.Errorf("not JSON: %.80q", text)
	}
	return text, nil
}

// A reader goes through a text that is known to be valid. What it reads are parts of that text, not copies.
type reader struct {
	text string
	at   int
}

func (r *reader) value() (value, error) {
	switch c := r.next(); c {
	case '{':
		return r.object()
	case '[':
		return r.list()
	case '"':
		return r.string()
	case 't':
		return r.word("true", true)
	case 'f':
		return r.word("false", false)
	case 'n':
		return r.word("null", nil)
	default:
		return r.number(), nil
	}
}

// next skips white space, commas and colons, which a valid text has in the right places only.
func (r *reader) next() byte {
	for {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\r', '\n', ',', ':':
			r.at++
		default:
			return c
		}
	}
}

func (r *reader) word(text string, meaning value) (value, error) {
	r.at += len(text)
	return meaning, nil
}

func (r *reader) number() json.Number {
	start := r.at
	for r.at < len(r.text) && strings.IndexByte("+-.0123456789eE", r.text[r.at]) >= 0 {
		r.at++
	}
	return json.Number(r.text[start:r.at])
}

func (r *reader) string() (string, error) {
	start, escaped := r.at, false
	for r.at++; r.text[r.at] != '"'; r.at++ {
		if r.text[r.at] == '\\' {
			escaped = true
			r.at++
		}
	}
	r.at++
	literal := r.text[start:r.at]
	if !escaped {
		return literal[1 : len(literal)-1], nil
	}
	if loneSurrogate(literal) {
		return "", inexpressible("text", "a Go string is UTF-8, which has no lone surrogates")
	}
	var text string
	err := json.Unmarshal([]byte(literal), &text)
	return text, err
}

func (r *reader) list() (value, error) {
	r.at++
	list := &List{}
	for r.next() != ']' {
		item, err := r.value()
		if err != nil {
			return nil, err
		}
		list.items = append(list.items, item)
	}
	r.at++
	return list, nil
}

func (r *reader) object() (value, error) {
	r.at++
	object := newObject()
	for r.next() != '}' {
		key, err := r.string()
		if err != nil {
			return nil, err
		}
		item, err := r.value()
		if err != nil {
			return nil, err
		}
		object.set(key, item)
	}
	r.at++
	return object, nil
}

// loneSurrogate tells whether an escaped string names half a character, which Go would silently replace.
func loneSurrogate(literal string) bool {
	unit := func(i int) (n uint32) {
		if i+6 > len(literal) || literal[i] != '\\' || literal[i+1] != 'u' {
			return 0
		}
		_, _ = fmt.Sscanf(literal[i+2:i+6], "%04x", &n)
		return n
	}
	for i := 0; i < len(literal); i++ {
		if literal[i] != '\\' {
			continue
		}
		first := unit(i)
		switch {
		case first >= 0xDC00 && first < 0xE000:
			return true
		case first >= 0xD800 && first < 0xDC00:
			if second := unit(i + 6); second < 0xDC00 || second >= 0xE000 {
				return true
			}
			i += 11
		default:
			i++
		}
	}
	return false
}
