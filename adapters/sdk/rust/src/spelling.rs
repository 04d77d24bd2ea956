//! Values that JSON lacks, in the one spelling that all SDKs share; `../cases/README.md` has the table.

use serde_json::{Map, Number, Value, json};

const WORDS: [&str; 6] = ["$none", "$float", "$integer", "$utf16", "$function", "$object"];

/// The largest integer up to which all languages tell integers apart.
const SAFE: i128 = (1 << 53) - 1;

/// A value of any language, for those of which JSON and Rust have no word.
#[derive(Clone, Debug, PartialEq)]
pub enum Natural {
    /// What other languages call undefined.
    Undefined,
    /// JSON's null.
    Null,
    /// A truth.
    Bool(bool),
    /// An integer of any size.
    Integer(i128),
    /// A floating-point number, finite or not.
    Float(f64),
    /// A text.
    Text(String),
    /// A text with a lone surrogate, as its UTF-16 code units.
    Units(Vec<u16>),
    /// A function.
    Function,
    /// A list.
    List(Vec<Natural>),
    /// An object.
    Object(Vec<(String, Natural)>),
}

impl Natural {
    /// Returns what the log says of the value.
    #[must_use]
    pub fn spelled(&self) -> Value {
        match self {
            Self::Undefined => json!({"$none": true}),
            Self::Null => Value::Null,
            Self::Bool(truth) => json!(truth),
            Self::Integer(number) => match i64::try_from(*number) {
                Ok(small) if (-SAFE..=SAFE).contains(number) => json!(small),
                _ => json!({"$integer": number.to_string()}),
            },
            Self::Float(number) if number.is_nan() => json!({"$float": "NaN"}),
            Self::Float(number) if number.is_infinite() => {
                json!({"$float": if *number > 0.0 { "Infinity" } else { "-Infinity" }})
            }
            Self::Float(number) => json!(number),
            Self::Text(text) => json!(text),
            Self::Units(units) => json!({"$utf16": units}),
            Self::Function => json!({"$function": true}),
            Self::List(items) => items.iter().map(Self::spelled).collect(),
            Self::Object(members) => {
                let told: Map<_, _> = members.iter().map(|(name, item)| (name.clone(), item.spelled())).collect();
                if told.len() == 1 && told.keys().all(|name| WORDS.contains(&name.as_str())) {
                    json!({"$object": told})
                } else {
                    Value::Object(told)
                }
            }
        }
    }

    /// Returns the value that a spelling means.
    ///
    /// # Errors
    /// The text says which spelling means nothing, or means an integer of more than 127 bits.
    pub fn meant(told: &Value) -> Result<Self, String> {
        Ok(match told {
            Value::Null => Self::Null,
            Value::Bool(truth) => Self::Bool(*truth),
            Value::Number(number) => Self::number(number),
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(items) => Self::List(items.iter().map(Self::meant).collect::<Result<_, _>>()?),
            Value::Object(members) => match members.iter().next() {
                Some((word, one)) if members.len() == 1 && WORDS.contains(&word.as_str()) => Self::by(word, one)?,
                _ => Self::members(members)?,
            },
        })
    }

    fn number(number: &Number) -> Self {
        match number.as_i128() {
            Some(whole) => Self::Integer(whole),
            None => Self::Float(number.as_f64().unwrap_or(f64::NAN)),
        }
    }

    fn by(word: &str, told: &Value) -> Result<Self, String> {
        let found = match (word, told) {
            ("$none", Value::Bool(true)) => Some(Self::Undefined),
            ("$function", Value::Bool(true)) => Some(Self::Function),
            ("$float", Value::String(name)) => match name.as_str() {
                "NaN" => Some(Self::Float(f64::NAN)),
                "Infinity" => Some(Self::Float(f64::INFINITY)),
                "-Infinity" => Some(Self::Float(f64::NEG_INFINITY)),
                _ => None,
            },
            ("$integer", Value::String(digits)) => digits.parse().ok().map(Self::Integer),
            ("$utf16", Value::Array(units)) => units
                .iter()
                .map(|unit| unit.as_u64().and_then(|unit| u16::try_from(unit).ok()))
                .collect::<Option<Vec<_>>>()
                .map(|units| String::from_utf16(&units).map_or(Self::Units(units), Self::Text)),
            ("$object", Value::Object(members)) => Some(Self::members(members)?),
            _ => None,
        };
        found.ok_or_else(|| format!("{word} of {told} means nothing"))
    }

    fn members(members: &Map<String, Value>) -> Result<Self, String> {
        let each = members.iter().map(|(name, item)| Ok((name.clone(), Self::meant(item)?)));
        Ok(Self::Object(each.collect::<Result<_, String>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(name: &str, item: Natural) -> Natural {
        Natural::Object(vec![(name.to_owned(), item)])
    }

    /// What a case of the table is in Rust.
    fn natural(name: &str) -> Option<Natural> {
        Some(match name {
            "undefined" => Natural::Undefined,
            "no number" => Natural::Float(f64::NAN),
            "infinity" => Natural::Float(f64::INFINITY),
            "negative infinity" => Natural::Float(f64::NEG_INFINITY),
            "the largest safe integer" => Natural::Integer(9_007_199_254_740_991),
            "past it" => Natural::Integer(9_007_199_254_740_993),
            "far below its negative" => Natural::Integer(-123_456_789_012_345_678_901_234_567_890),
            "a lone surrogate" => Natural::Units(vec![97, 0xd83d]),
            "a pair of surrogates" => Natural::Text("\u{1F600}".to_owned()),
            "a function" => Natural::Function,
            "an object that looks like one" => object("$none", Natural::Bool(true)),
            "an object within another" => {
                let inner = object("$float", Natural::Float(f64::NAN));
                let (none, list) = (Natural::Bool(true), Natural::List(vec![inner]));
                Natural::Object(vec![("$none".to_owned(), none), ("in".to_owned(), list)])
            }
            _ => return None,
        })
    }

    #[test]
    fn the_table_of_all_sdks() {
        let table: Value = serde_json::from_str(include_str!("../../cases/spelling/values.json")).unwrap();
        for case in table["cases"].as_array().unwrap() {
            let name = case["name"].as_str().unwrap();
            let known = natural(name).unwrap_or_else(|| panic!("{name} is new"));
            assert_eq!(known.spelled(), case["spelled"], "{name}");
            assert_eq!(Natural::meant(&case["spelled"]).unwrap().spelled(), case["spelled"], "{name}");
        }
        for spelling in table["meaningless"].as_array().unwrap() {
            assert!(Natural::meant(spelling).is_err(), "{spelling}");
        }
    }
}
