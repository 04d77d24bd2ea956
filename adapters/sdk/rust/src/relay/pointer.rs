//! JSON pointers (RFC 6901) on plain values: find, put, cut, extend.
//!
//! Enters: a document and a pointer. Leaves: a value, or the changed document. Must not know scenarios.

use crate::json::Json;

/// The pointer names nothing that the operation could work on; the text says what is missing.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceError(pub String);

/// Returns the value at `pointer`.
pub fn find<'a>(document: &'a Json, pointer: &str) -> Result<&'a Json, PlaceError> {
    tokens(pointer)?.iter().try_fold(document, |value, token| match value {
        Json::Object(members) => members.get(token).ok_or_else(|| no_member(token)),
        Json::Array(items) => Ok(&items[index(items.len(), token)?]),
        _ => Err(no_place(value, token)),
    })
}

/// Sets `pointer` to `value`; the parent must exist, a list takes only an index that it has.
pub fn put(document: &mut Json, pointer: &str, value: Json) -> Result<(), PlaceError> {
    let (path, last) = tokens_to(pointer)?;
    let Some(last) = last else {
        *document = value;
        return Ok(());
    };
    match find_mut(document, &path)? {
        Json::Object(members) => {
            members.insert(last, value);
        }
        Json::Array(items) => {
            let place = index(items.len(), &last)?;
            items[place] = value;
        }
        parent => return Err(no_place(parent, &last)),
    }
    Ok(())
}

/// Removes the existing member at `pointer`.
pub fn cut(document: &mut Json, pointer: &str) -> Result<(), PlaceError> {
    let (path, last) = tokens_to(pointer)?;
    let last = last.ok_or_else(|| PlaceError("the whole document cannot be removed".into()))?;
    match find_mut(document, &path)? {
        Json::Object(members) => members.remove(&last).map(drop).ok_or_else(|| no_member(&last)),
        Json::Array(items) => {
            let place = index(items.len(), &last)?;
            items.remove(place);
            Ok(())
        }
        parent => Err(no_place(parent, &last)),
    }
}

/// Appends `values` to the existing list at `pointer`.
pub fn extend(document: &mut Json, pointer: &str, values: Vec<Json>) -> Result<(), PlaceError> {
    match find_mut(document, &tokens(pointer)?)? {
        Json::Array(items) => items.extend(values),
        _ => return Err(PlaceError("there is no list there".into())),
    }
    Ok(())
}

fn find_mut<'a>(document: &'a mut Json, path: &[String]) -> Result<&'a mut Json, PlaceError> {
    path.iter().try_fold(document, |value, token| match value {
        Json::Object(members) => members.get_mut(token).ok_or_else(|| no_member(token)),
        Json::Array(items) => {
            let place = index(items.len(), token)?;
            Ok(&mut items[place])
        }
        _ => Err(no_place(value, token)),
    })
}

fn tokens_to(pointer: &str) -> Result<(Vec<String>, Option<String>), PlaceError> {
    let mut path = tokens(pointer)?;
    let last = path.pop();
    Ok((path, last))
}

fn tokens(pointer: &str) -> Result<Vec<String>, PlaceError> {
    if pointer.is_empty() {
        return Ok(Vec::new());
    }
    let rest = pointer.strip_prefix('/').ok_or_else(|| PlaceError("a pointer is empty or begins with /".into()))?;
    Ok(rest.split('/').map(|token| token.replace("~1", "/").replace("~0", "~")).collect())
}

fn index(length: usize, token: &str) -> Result<usize, PlaceError> {
    let place = token.parse::<usize>().ok().filter(|place| place.to_string() == token && *place < length);
    place.ok_or_else(|| PlaceError(format!("a list of {length} has no index '{token}'")))
}

fn no_member(token: &str) -> PlaceError {
    PlaceError(format!("there is no member '{token}'"))
}

fn no_place(value: &Json, token: &str) -> PlaceError {
    PlaceError(format!("{value} has no member '{token}'"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn finds_what_is_there() {
        let document = json!({"a": [{"b/c": 1, "d~e": 2}], "": 3});
        assert_eq!(find(&document, ""), Ok(&document));
        assert_eq!(find(&document, "/a/0/b~1c"), Ok(&json!(1)));
        assert_eq!(find(&document, "/a/0/d~0e"), Ok(&json!(2)));
        assert_eq!(find(&document, "/"), Ok(&json!(3)));
    }

    #[test]
    fn says_what_is_missing() {
        let document = json!({"a": [1]});
        for (pointer, said) in [
            ("/b", "there is no member 'b'"),
            ("/a/1", "a list of 1 has no index '1'"),
            ("/a/-", "a list of 1 has no index '-'"),
            ("/a/00", "a list of 1 has no index '00'"),
            ("/a/+0", "a list of 1 has no index '+0'"),
            ("/a/0/x", "1 has no member 'x'"),
            ("a", "a pointer is empty or begins with /"),
        ] {
            assert_eq!(find(&document, pointer), Err(PlaceError(said.into())), "{pointer}");
        }
    }

    #[test]
    fn puts_into_an_existing_parent() {
        let mut document = json!({"a": [1]});
        put(&mut document, "/b", json!(2)).unwrap();
        put(&mut document, "/a/0", json!(3)).unwrap();
        assert_eq!(document, json!({"a": [3], "b": 2}));
        assert!(put(&mut document, "/a/1", json!(4)).is_err());
        assert!(put(&mut document, "/no/where", json!(4)).is_err());
        put(&mut document, "", json!(null)).unwrap();
        assert_eq!(document, json!(null));
    }

    #[test]
    fn cuts_only_what_exists() {
        let mut document = json!({"a": [1, 2], "b": null});
        cut(&mut document, "/a/0").unwrap();
        cut(&mut document, "/b").unwrap();
        assert_eq!(document, json!({"a": [2]}));
        assert!(cut(&mut document, "/b").is_err());
        assert!(cut(&mut document, "").is_err());
    }

    #[test]
    fn extends_lists_alone() {
        let mut document = json!({"a": [1]});
        extend(&mut document, "/a", vec![json!(2), json!(3)]).unwrap();
        assert_eq!(document, json!({"a": [1, 2, 3]}));
        assert_eq!(extend(&mut document, "", vec![]), Err(PlaceError("there is no list there".into())));
    }
}
