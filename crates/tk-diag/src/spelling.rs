//! The known name that a misspelled one is closest to.

/// The known name nearest to a wrong one, when it is near enough to be a slip of the hand: one or two edits, where neighbours
/// that change places are one edit.
pub fn nearest<'n>(wrong: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if wrong.len() > 40 {
        return None;
    }
    let limit = if wrong.chars().count() <= 4 { 1 } else { 2 };
    known
        .into_iter()
        .filter(|name| name.len().abs_diff(wrong.len()) <= limit)
        .map(|name| (strsim::osa_distance(wrong, name), name))
        // Of a short name, half would be another one.
        .filter(|(distance, name)| *distance <= limit && (*distance <= 1 || distance * 2 <= name.len()))
        .min()
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        assert_eq!(nearest("laod", ["add", "load", "store"]), Some("load"));
        assert_eq!(nearest("arrange", ["arange", "range"]), Some("arange"));
        assert_eq!(nearest("quux", ["load", "store"]), None);
        assert_eq!(nearest("kitten", ["sitting"]), None);
    }
}
