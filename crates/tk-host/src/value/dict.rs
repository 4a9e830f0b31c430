//! Dicts, and what makes values equal as keys.

use super::Value;
use crate::exception::Result;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A dict in the order of insertion.
#[derive(Clone, Default)]
pub(crate) struct Dict<'a> {
    pub(super) entries: Vec<(Value<'a>, Value<'a>)>,
    places: FxHashMap<Key, usize>,
}

/// A value that can be a key, by what makes it equal to others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    None,
    Number(i128),
    Float(u64),
    Str(Rc<str>),
    Tuple(Vec<Key>),
    Name(String),
    Identity(usize),
}

impl<'a> Dict<'a> {
    pub(crate) fn get(&self, key: &Key) -> Option<&Value<'a>> {
        self.places.get(key).map(|place| &self.entries[*place].1)
    }

    pub(crate) fn insert(&mut self, key: Value<'a>, value: Value<'a>) -> Result<()> {
        let place = self.places.entry(key.key()?).or_insert(self.entries.len());
        match self.entries.get_mut(*place) {
            Some(entry) => entry.1 = value,
            None => self.entries.push((key, value)),
        }
        Ok(())
    }

    pub(crate) fn remove(&mut self, key: &Key) -> Option<Value<'a>> {
        let place = self.places.remove(key)?;
        self.places.values_mut().filter(|other| **other > place).for_each(|other| *other -= 1);
        Some(self.entries.remove(place).1)
    }

    pub(crate) fn entries(&self) -> &[(Value<'a>, Value<'a>)] {
        &self.entries
    }

    pub(crate) fn from_entries(entries: impl IntoIterator<Item = (Value<'a>, Value<'a>)>) -> Result<Self> {
        let mut dict = Dict::default();
        for (key, value) in entries {
            dict.insert(key, value)?;
        }
        Ok(dict)
    }
}
