//! Finds a whole number that `serde_json` would round: one beyond 64 bits.
//!
//! Enters: JSON text. Leaves: the number as written, or nothing. Must not know what the text is about.

/// Returns the first integer literal of `text` that neither an `i64` nor a `u64` can hold.
pub fn too_wide(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = end_of_string(bytes, at),
            b'-' | b'0'..=b'9' => {
                let end = end_of_number(bytes, at);
                let literal = &text[at..end];
                if end - at > 18
                    && is_whole(literal)
                    && literal.parse::<i64>().is_err()
                    && literal.parse::<u64>().is_err()
                {
                    return Some(literal);
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    None
}

fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

fn end_of_number(bytes: &[u8], start: usize) -> usize {
    let length =
        bytes[start..].iter().take_while(|byte| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9'));
    start + length.count()
}

fn is_whole(literal: &str) -> bool {
    !literal.contains(['.', 'e', 'E'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_integers_beyond_64_bits() {
        assert_eq!(too_wide(r#"{"a":[1,18446744073709551616]}"#), Some("18446744073709551616"));
        assert_eq!(too_wide("-9223372036854775809"), Some("-9223372036854775809"));
    }

    #[test]
    fn leaves_all_else_alone() {
        for text in ["18446744073709551615", "-9223372036854775808", "1e400", "18446744073709551616.0", "{}", ""] {
            assert_eq!(too_wide(text), None, "{text}");
        }
        assert_eq!(too_wide(r#"["18446744073709551616","\"18446744073709551616\\",2]"#), None);
    }
}
