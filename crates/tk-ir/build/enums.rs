//! `enums.rs`: the enum attributes, with the numbers that they are stored as and the words in the IR's text.

use crate::ods::{Enum, Ods, doc};
use std::fmt::Write;

/// The text of the generated file.
pub(crate) fn text(ods: &Ods) -> String {
    ods.enums.iter().map(|(name, described)| one(name, described)).collect()
}

fn one(name: &str, described: &Enum) -> String {
    let (mut variants, mut all, mut numbers, mut words) = (String::new(), String::new(), String::new(), String::new());
    let (mut by_number, mut by_word) = (String::new(), String::new());
    for case in &described.cases {
        let is_default = described.default.as_ref() == Some(&case.name);
        let default = if is_default { "#[default]" } else { "" };
        let _ = writeln!(variants, "{}\n{default}\n{},", doc(&case.summary), case.name);
        let _ = writeln!(all, "Self::{},", case.name);
        let _ = writeln!(numbers, "Self::{} => {},", case.name, case.number);
        let _ = writeln!(words, "Self::{} => {:?},", case.name, case.word);
        let _ = writeln!(by_number, "{} => Some(Self::{}),", case.number, case.name);
        let _ = writeln!(by_word, "{:?} => Some(Self::{}),", case.word, case.name);
    }
    let derive_default = if described.default.is_some() { ", Default" } else { "" };
    format!(
        "{}
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash{derive_default})]
        pub enum {name} {{ {variants} }}

        impl {name} {{
            /// Every case.
            pub const ALL: &'static [Self] = &[{all}];

            /// The number it is stored as.
            pub fn number(self) -> i64 {{ match self {{ {numbers} }} }}

            /// The case with this number.
            pub fn from_number(number: i64) -> Option<Self> {{ match number {{ {by_number} _ => None }} }}

            /// The word in the IR's text.
            pub fn name(self) -> &'static str {{ match self {{ {words} }} }}

            /// The case with this word.
            pub fn from_name(name: &str) -> Option<Self> {{ match name {{ {by_word} _ => None }} }}
        }}
        ",
        doc(&format!("`{name}`: {}", described.summary))
    )
}
