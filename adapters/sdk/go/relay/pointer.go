package relay

import (
	"fmt"
	"strconv"
	"strings"
)

// A placeError says why a pointer names nothing that the operation could work on.
type placeError string

func (e placeError) Error() string { return string(e) }

func nowhere(format string, parts ...any) error { return placeError(fmt.Sprintf(format, parts...)) }

// find returns the value at a JSON pointer (RFC 6901).
func find(document value, pointer string) (value, error) {
	tokens, err := tokensOf(pointer)
	if err != nil {
		return nil, err
	}
	for _, token := range tokens {
		if document, err = member(document, token); err != nil {
			return nil, err
		}
	}
	return document, nil
}

// put sets the place to a value and returns the document; the parent must exist, a list takes only an index it has.
func put(document value, pointer string, item value) (value, error) {
	if pointer == "" {
		return item, nil
	}
	parent, token, err := parentOf(document, pointer)
	if err != nil {
		return nil, err
	}
	if object, ok := parent.(*Object); ok {
		object.set(token, item)
		return document, nil
	}
	if _, err := member(parent, token); err != nil {
		return nil, err
	}
	i, _ := strconv.Atoi(token)
	parent.(*List).items[i] = item
	return document, nil
}

// cut removes the existing member at the place.
func cut(document value, pointer string) error {
	if pointer == "" {
		return nowhere("the whole document cannot be removed")
	}
	parent, token, err := parentOf(document, pointer)
	if err != nil {
		return err
	}
	if _, err := member(parent, token); err != nil {
		return err
	}
	if object, ok := parent.(*Object); ok {
		object.remove(token)
		return nil
	}
	list := parent.(*List)
	i, _ := strconv.Atoi(token)
	list.items = append(list.items[:i], list.items[i+1:]...)
	return nil
}

// extend appends values to the existing list at the place.
func extend(document value, pointer string, items value) error {
	found, err := find(document, pointer)
	if err != nil {
		return err
	}
	list, ok := found.(*List)
	more, listed := items.(*List)
	if !ok || !listed {
		return nowhere("there is no list there")
	}
	list.items = append(list.items, more.items...)
	return nil
}

func parentOf(document value, pointer string) (value, string, error) {
	tokens, err := tokensOf(pointer)
	if err != nil {
		return nil, "", err
	}
	parent, err := find(document, pointer[:strings.LastIndexByte(pointer, '/')])
	return parent, tokens[len(tokens)-1], err
}

func tokensOf(pointer string) ([]string, error) {
	if pointer == "" {
		return nil, nil
	}
	if pointer[0] != '/' {
		return nil, nowhere("a pointer is empty or begins with /")
	}
	tokens := strings.Split(pointer[1:], "/")
	for i, token := range tokens {
		tokens[i] = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
	}
	return tokens, nil
}

// lookup returns a member that may be missing; member, below, says why it is.
func lookup(parent value, key string) (value, bool) {
	object, ok := parent.(*Object)
	if !ok {
		return nil, false
	}
	return object.get(key)
}

func member(parent value, token string) (value, error) {
	switch p := parent.(type) {
	case *Object:
		if item, there := p.get(token); there {
			return item, nil
		}
		return nil, nowhere("there is no member '%s'", token)
	case *List:
		i, err := strconv.Atoi(token)
		if err != nil || strconv.Itoa(i) != token || i < 0 || i >= len(p.items) {
			return nil, nowhere("a list of %d has no index '%s'", len(p.items), token)
		}
		return p.items[i], nil
	}
	return nil, nowhere("%s has no member '%s'", appendValue(nil, parent), token)
}
