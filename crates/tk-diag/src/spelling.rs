//! The known name that a misspelled one is closest to.

/// The known name nearest to a wrong one, when it is near enough to be a slip of the hand.
pub fn nearest<'n>(wrong: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if wrong.len() > 40 {
        return None;
    }
    let limit = if wrong.chars().count() <= 4 { 1 } else { 2 };
    known
        .into_iter()
        .filter(|name| name.len().abs_diff(wrong.len()) <= limit)
        .map(|name| (edit_distance(wrong, name), name))
        // Of a short name, half would be another one.
        .filter(|(distance, name)| *distance <= limit && (*distance <= 1 || distance * 2 <= name.len()))
        .min()
        .map(|(_, name)| name)
}

/// Edit distance with neighbours changing places as one edit (optimal string alignment).
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let substitute = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = substitute.min(row[j - 1] + 1).min(above[j] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        assert_eq!(nearest("laod", ["add", "load", "store"]), Some("load"));
        assert_eq!(nearest("arrange", ["arange", "range"]), Some("arange"));
        assert_eq!(nearest("quux", ["load", "store"]), None);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }
}
