//! Differences between two texts, line by line.

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Same,
    Removed,
    Added,
}

/// Longest middle part, in lines of both texts multiplied, that is compared exactly; beyond it everything counts as changed.
const MAX_TABLE: usize = 6_000_000;

/// The lines of both texts in order, each with what became of it: a longest common subsequence is kept.
pub(super) fn difference<'t>(before: &[&'t str], after: &[&'t str]) -> Vec<(Change, &'t str)> {
    let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let tail = before[head..].iter().rev().zip(after[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&before[head..before.len() - tail], &after[head..after.len() - tail]);
    let mut out: Vec<(Change, &'t str)> = before[..head].iter().map(|line| (Change::Same, *line)).collect();
    middle(old, new, &mut out);
    out.extend(after[after.len() - tail..].iter().map(|line| (Change::Same, *line)));
    out
}

fn middle<'t>(old: &[&'t str], new: &[&'t str], out: &mut Vec<(Change, &'t str)>) {
    if old.len().saturating_mul(new.len()) > MAX_TABLE {
        out.extend(old.iter().map(|line| (Change::Removed, *line)));
        out.extend(new.iter().map(|line| (Change::Added, *line)));
        return;
    }
    // common[i][j]: the length of a longest common subsequence of old[i..] and new[j..].
    let width = new.len() + 1;
    let mut common = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i * width + j] = if old[i] == new[j] {
                common[(i + 1) * width + j + 1] + 1
            } else {
                common[(i + 1) * width + j].max(common[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            out.push((Change::Same, new[j]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && common[(i + 1) * width + j] >= common[i * width + j + 1] {
            out.push((Change::Removed, old[i]));
            i += 1;
        } else {
            out.push((Change::Added, new[j]));
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_texts_can_be_read_back() {
        let texts = ["a b c d", "a c d e", "", "x y", "a b c d e f", "f e d c b a"];
        for old in texts {
            for new in texts {
                let (old, new): (Vec<&str>, Vec<&str>) = (old.split(' ').collect(), new.split(' ').collect());
                let lines = difference(&old, &new);
                let side = |gone: Change| -> Vec<&str> {
                    lines.iter().filter(|(change, _)| *change != gone).map(|(_, line)| *line).collect()
                };
                assert_eq!(side(Change::Added), old);
                assert_eq!(side(Change::Removed), new);
            }
        }
        let same = difference(&["a", "b", "c"], &["a", "x", "c"]).iter().filter(|(c, _)| *c == Change::Same).count();
        assert_eq!(same, 2);
    }
}
