package relay

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"bindproof/adapter"
)

func TestFit(t *testing.T) {
	type mark struct {
		Name     string  `json:"name"`
		Category *string `json:"category,omitempty"`
	}
	type outcome struct {
		Request struct {
			Content json.RawMessage `json:"content"`
		} `json:"request"`
		Annotated json.RawMessage `json:"annotated_request"`
		Marks     []mark          `json:"pending_marks"`
	}
	for reply, place := range map[string]string{
		`{}`: "",
		`{"request":{"content":1.0},"annotated_request":null,"pending_marks":null}`: "",
		`{"pending_marks":[{"name":"m","category":null},{}]}`:                       "",
		`{"annotated_request":{"any":[1e400,"<&>"]}}`:                               "",
		`{"bogus":1}`:                         "cannot hold it: ",
		`{"pending_marks":"text"}`:            "cannot hold it: ",
		`{"pending_marks":[{"name":1}]}`:      "cannot hold it: ",
		`{"pending_marks":[{"name":null}]}`:   "cannot hold reply/pending_marks/0/name",
		`{"pending_marks":[null]}`:            "cannot hold reply/pending_marks/0",
		`{"request":null}`:                    "cannot hold reply/request",
		`{"PENDING_MARKS":[{"name":"m"}]}`:    "cannot hold reply/PENDING_MARKS",
		`null`:                                "cannot hold reply",
		`{"pending_marks":[{"category":""}]}`: "",
	} {
		var into outcome
		err := Fit(json.RawMessage(reply), &into)
		var cannot adapter.Inexpressible
		errors.As(err, &cannot)
		if (err == nil) != (place == "") || err != nil && cannot.Path != "reply" || !strings.Contains(cannot.Reason, place) {
			t.Errorf("%s: %v", reply, err)
		}
	}
}
