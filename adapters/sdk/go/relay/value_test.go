package relay

import (
	"encoding/json"
	"strings"
	"testing"
)

func mustParse(t *testing.T, text string) value {
	t.Helper()
	read, err := parse([]byte(text))
	if err != nil {
		t.Fatalf("parse(%s): %v", text, err)
	}
	return read
}

func TestTextPassesUnchanged(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `false`, `""`, `[]`, `{}`, `[[],{},[{}]]`,
		`1.0`, `1`, `-0`, `1e400`, `1E+2`, `9007199254740993`, `0.10000000000000000555`,
		`{"z":1,"a":{"y":[1,2],"b":null}}`,
		`"<&>\u0000\u001f` + "\u2028\u0085\ufeff\U0001f600\x7f" + `"`,
		`{"":{"a/b~c":"\"\\"}}`,
	} {
		if got := string(textOf(mustParse(t, text))); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
}

func TestWhiteSpaceAndEscapesAreRead(t *testing.T) {
	got := string(textOf(mustParse(t, " {\t\"\\u0061\" : [ 1 ,\r\n\"\\ud83d\\ude00\\/\" ] } ")))
	if want := `{"a":[1,"😀/"]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestOfAKeyThatIsThereTwiceTheLastCounts(t *testing.T) {
	if got := string(textOf(mustParse(t, `{"a":1,"b":2,"a":3}`))); got != `{"a":3,"b":2}` {
		t.Errorf("got %s", got)
	}
}

func TestWhatIsNotJSONIsRefused(t *testing.T) {
	for _, text := range []string{``, `{`, `nul`, `[1,]`, `NaN`, `{"a":1}}`, "\"\xff\"", "\"\n\""} {
		if _, err := parse([]byte(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestHalfACharacterIsRefused(t *testing.T) {
	for text, refused := range map[string]bool{
		`"\ud800"`: true, `"\udc00"`: true, `"\ud800x"`: true, `"\ud800\u0041"`: true, `"\ud800\ud800\udc00"`: true,
		`"\ud83d\ude00"`: false, `"\\ud800"`: false, `"\\\\ud800\ufffd"`: false, `"\ud83d\ude00\ud83d\ude00"`: false,
	} {
		if _, err := parse([]byte(text)); (err != nil) != refused {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestTypedStructsBecomeValues(t *testing.T) {
	type typed struct {
		Name string          `json:"name"`
		Raw  json.RawMessage `json:"raw"`
		None json.RawMessage `json:"none"`
	}
	read, err := valueOf(typed{Name: "<&>", Raw: json.RawMessage(`{"n":1.0}`)})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(textOf(read)); got != `{"name":"<&>","raw":{"n":1.0},"none":null}` {
		t.Errorf("got %s", got)
	}
	if read, err := valueOf(json.RawMessage(nil)); read != nil || err != nil {
		t.Errorf("no text became %v, %v", read, err)
	}
}

func TestACopyIsACopy(t *testing.T) {
	first := mustParse(t, `{"a":[{"b":1}]}`)
	second := copyOf(first)
	if _, err := put(second, "/a/0/b", "changed"); err != nil {
		t.Fatal(err)
	}
	if err := extend(second, "/a", mustParse(t, `[2]`)); err != nil {
		t.Fatal(err)
	}
	if got := string(textOf(first)); got != `{"a":[{"b":1}]}` {
		t.Errorf("the first is %s", got)
	}
}

func TestEqual(t *testing.T) {
	for _, one := range []struct {
		a, b string
		same bool
	}{
		{`{"a":1,"b":[true,null]}`, `{"b":[true,null],"a":1}`, true},
		{`1`, `1.0`, false}, {`1`, `"1"`, false}, {`[]`, `{}`, false}, {`[1]`, `[1,1]`, false}, {`{"a":1}`, `{"b":1}`, false},
		{`null`, `false`, false}, {`null`, `null`, true},
	} {
		if equal(mustParse(t, one.a), mustParse(t, one.b)) != one.same {
			t.Errorf("%s and %s", one.a, one.b)
		}
	}
}

func TestALongListIsReadInOneGo(t *testing.T) {
	text := "[" + strings.Repeat(`{"k":[1,2,3]},`, 50_000) + "0]"
	if got := string(textOf(mustParse(t, text))); got != text {
		t.Error("it changed")
	}
}
