//! The kernels that were compiled for the launches so far. Launches look them up without a lock, because entries are only added.

use super::value::Key;
use std::sync::OnceLock;

/// A list that only grows. Readers see all entries that were added before.
pub(crate) struct Variants<T> {
    first: OnceLock<Box<Node<T>>>,
}

struct Node<T> {
    key: Key,
    value: T,
    next: OnceLock<Box<Node<T>>>,
}

impl<T> Default for Variants<T> {
    fn default() -> Self {
        Self { first: OnceLock::new() }
    }
}

impl<T> Variants<T> {
    /// The value of a key.
    pub(crate) fn find(&self, key: &Key) -> Option<&T> {
        self.nodes().find(|node| node.key == *key).map(|node| &node.value)
    }

    /// All values, the oldest first.
    pub(crate) fn values(&self) -> impl Iterator<Item = &T> {
        self.nodes().map(|node| &node.value)
    }

    /// Adds a value after all others.
    pub(crate) fn add(&self, key: Key, value: T) {
        let mut node = Box::new(Node { key, value, next: OnceLock::new() });
        let mut place = &self.first;
        loop {
            match place.set(node) {
                Ok(()) => return,
                Err(refused) => node = refused,
            }
            match place.get() {
                Some(taken) => place = &taken.next,
                None => return,
            }
        }
    }

    fn nodes(&self) -> impl Iterator<Item = &Node<T>> {
        std::iter::successors(self.first.get(), |node| node.next.get()).map(Box::as_ref)
    }
}

impl<T> Drop for Variants<T> {
    fn drop(&mut self) {
        // One after the other: a long list must not use up the stack.
        let mut next = self.first.take();
        while let Some(mut node) = next {
            next = node.next.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_and_stay() {
        let variants = Variants::default();
        let key = |word: u64| -> Key { [word, 7].into_iter().collect() };
        assert_eq!(variants.find(&key(0)), None::<&u64>);
        std::thread::scope(|scope| {
            let variants = &variants;
            (0..4u64).for_each(|thread| {
                scope.spawn(move || (0..250).for_each(|at| variants.add(key(thread * 250 + at), thread * 250 + at)));
            });
        });
        (0..1000).for_each(|word| assert_eq!(variants.find(&key(word)), Some(&word)));
        assert_eq!(variants.values().count(), 1000);
        let long = Variants::default();
        (0..3_000).for_each(|word| long.add(key(word), word));
    }
}
