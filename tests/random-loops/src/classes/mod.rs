//! Classes of programs of which each is about one kind of statement: a kernel, its reference from the same statements, and a test for each launch.
//!
//! Sizes are small, so that a program takes a fraction of a second on the simulator. Results are whole numbers, or multiples of a power of two, that each
//! type holds exactly; those that are not are compared with a bound that the class says.

mod again;
mod batches;
mod blocks;
mod columns;
mod draft;
mod halves;
mod inner;
mod keys;
mod masks;
mod online;
mod ragged;
mod records;
mod tables;
mod time;
mod updates;
mod windows;

use clap::ValueEnum;
use tk_cases::draw::seeded;

/// What a program is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Class {
    /// Products of a batch, in blocks of three axes.
    Batches,
    /// Numbers of rows that a loop keeps and scales blocks with, as softmax over blocks of keys.
    Online,
    /// Loops over steps of time that load and store an element per step and carry a state.
    Time,
    /// Numbers of rows that inner loops find, and blocks that are made of them.
    Inner,
    /// Loops whose last iteration is ragged, over elements of which the launch says how many there are.
    Ragged,
    /// Records, whose fields are loaded and stored one by one.
    Records,
    /// Atomic operations at places that are loaded.
    Updates,
    /// Loops over blocks of rows beside weights of each column.
    Columns,
    /// Sums of the elements around each, in rows of any length.
    Windows,
    /// Products of which the next reads the transpose, as gradients of attention by keys have them.
    Keys,
    /// Rows that a table names, and rows between two places that are loaded.
    Tables,
    /// Masks of blocks in loops with products, most of which are whole.
    Masks,
    /// Rows that a second loop reads again, and perhaps stores to.
    Again,
    /// Additions by atomic operations to single elements of 16 bits.
    Halves,
}

impl Class {
    /// The program of a seed, as a file. `name` is that of the class.
    pub(crate) fn text(self, seed: u64, name: &str) -> String {
        let mut random = seeded(&format!("{seed} {name}"));
        let draft = match self {
            Class::Batches => batches::program(&mut random),
            Class::Online => online::program(&mut random),
            Class::Time => time::program(&mut random),
            Class::Inner => inner::program(&mut random),
            Class::Ragged => ragged::program(&mut random),
            Class::Records => records::program(&mut random),
            Class::Updates => updates::program(&mut random),
            Class::Columns => columns::program(&mut random),
            Class::Windows => windows::program(&mut random),
            Class::Keys => keys::program(&mut random),
            Class::Tables => tables::program(&mut random),
            Class::Masks => masks::program(&mut random),
            Class::Again => again::program(&mut random),
            Class::Halves => halves::program(&mut random),
        };
        draft.text(seed, name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A seed makes one program, and what the class is about is drawn in every way.
    fn assert_drawn(class: Class, pieces: &[&str]) {
        assert_eq!(class.text(3, "class"), class.text(3, "class"));
        assert_ne!(class.text(3, "class"), class.text(4, "class"));
        let all: String = (0..300).map(|seed| class.text(seed, "class")).collect();
        let missing: Vec<&&str> = pieces.iter().filter(|piece| !all.contains(**piece)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn batches_have_operands_of_every_form() {
        let forms = ["(0, 2, 1)", "[None, :, :]", "tl.trans(", "[:, :, None]", "[:, None, :]", "tl.reshape("];
        let products = ["acc = tl.dot(a, b, acc", "scores, v", "a_sum", "_pointers +=", "% (2 * K)", "_base + "];
        assert_drawn(Class::Batches, &[forms, products].concat());
    }

    #[test]
    fn loops_keep_rows_in_every_way() {
        let kept = ["most - now", "total += ", "s == most", "acc * scale[None, :]", "acc * scale[:, None]", "decay"];
        let around = ["split, ", "float('-inf')", "key_row[:, None]", "value_row", "history_ptr", "_pointers +="];
        assert_drawn(Class::Online, &[kept, around].concat());
    }

    #[test]
    fn steps_of_time_come_in_every_order() {
        let lies = ["i * T + t", "t * W + i", "t * rows + i", "i * 34 + t", "i * S + t * ONE", "x0_ptr_pointers"];
        let orders = ["(T - 1 - t)", "T - 1, -1, -1", "0, T, 2", "low, high", "while t < T:", "for o in"];
        let changes = ["0.5 * v", "a * v + x0", "tl.maximum(v, x0", "x0_ptr_elements[1 * ", "store(x0_ptr", "flag > t"];
        assert_drawn(Class::Time, &[lies, orders, changes].concat());
    }

    #[test]
    fn rows_of_inner_loops_are_used_in_every_way() {
        let used =
            ["cell[:, None]", "better", "tl.dot(left, w", "tl.trans(turned)", "power[:, None]", "along[:, None]"];
        assert_drawn(Class::Inner, &[&used[..], &["scores, axis=1", "for t in", "t, C", "C - 1, -1, -1"]].concat());
    }

    #[test]
    fn ragged_loops_count_in_every_way() {
        let products = ["tl.cdiv(k, K)", "k - first", "end - first", "cut, k, K", "0, end, 2 * K", "tile * K, k"];
        let beside = ["if flag > 0:", "place[:, None]", "scale[None, :]", "flags > 0", "program, tiles", "turn in"];
        let elements =
            ["while first < n:", "begin, end, B", "n + 2 * B", "tl.cdiv(n, B)", "at * 3", "lanes_c[None, :]"];
        assert_drawn(Class::Ragged, &[products, beside, elements].concat());
    }

    #[test]
    fn records_lie_in_every_way() {
        let records = ["number * 4 + 1", "number * R", "number * r", "_records + ", "order_ptr", "turn * records"];
        assert_drawn(
            Class::Records,
            &[&records[..], &["z_ptr", "evict_first", "i0[:, None]", "B - 1 - lanes"]].concat(),
        );
    }
    #[test]
    fn places_are_updated_in_every_way() {
        let operations = ["atomic_add", "atomic_max", "atomic_min", "atomic_and", "atomic_or", "atomic_xor", "relaxed"];
        let places =
            ["runs(lanes", "groups(lanes", "holes(groups", "place * 2 + 1", "place // 2", "turn % 2", "* C + columns"];
        assert_drawn(Class::Updates, &[operations, places].concat());
    }

    #[test]
    fn columns_have_weights_in_every_way() {
        let used = ["w1_ptr", "row_ptr", "x_pointers +=", "tl.maximum(x, w0", "sums += tl.sum(", "axis=1"];
        assert_drawn(Class::Columns, &[&used[..], &["3, m, R", "other=1", "columns[None, :] * m"]].concat());
    }

    #[test]
    fn windows_are_counted_in_every_way() {
        let taps = ["range(0, 3", "range(0, taps", "(5) * (2)", "pixels // W", "place = pixels + "];
        assert_drawn(Class::Windows, &[&taps[..], &["(beside < W)", "x = x * w", "(tap) * (-1)"]].concat());
    }

    #[test]
    fn keys_turn_products_in_every_way() {
        let products =
            ["tl.dot(q, tl.trans(k))", "tl.dot(k, tl.trans(q))", "tl.dot(g, tl.trans(v))", "tl.dot(tl.trans(s"];
        let computed = ["of_query[:, None]", "of_query[None, :]", "of_key[None, :]", ">= at_n", "q_pointers +="];
        assert_drawn(Class::Keys, &[&products[..], &computed[..]].concat());
    }

    #[test]
    fn tables_name_rows_in_every_way() {
        let bounds = ["range(begin, end, R)", "number in range(0, m)", "number < m", "& (row >= 0)"];
        let ways = ["sums += tl.sum(", "tl.max(x, axis=0)", "place[:, None]", "x = x * w[:, None]", "torch.int64"];
        assert_drawn(Class::Tables, &[&bounds[..], &ways[..]].concat());
    }
    #[test]
    fn masks_are_asked_for_in_every_way() {
        let conditions = ["[None, :] < n)", "[:, None] < n)", ">= at_n[None, :])", "+ shift)", "<= W)", "!= begin)"];
        let bounds = ["range(0, end, N)", "range(low, n, N)", "range(N, n, N)", "arange(0, N).to(tl.int64)"];
        let ways = ["total += ", "most = tl.maximum(", "tl.dot(p, v)", "tl.dot(tl.trans(p), v)", "mask, s, 0.0)"];
        assert_drawn(Class::Masks, &[&conditions[..], &bounds[..], &ways[..]].concat());
    }

    #[test]
    fn rows_are_read_again_in_every_way() {
        let targets = ["stride, x_ptr_elements, x_ptr_elements,", "stride, x_ptr_elements[1024:], x_ptr_elements,"];
        let behind = ["stride, x_ptr_elements, x_ptr_elements[2048:],", "stride, x_ptr_elements, y_ptr_elements,"];
        let ways = ["n: tl.constexpr", "range(B, n, B)", "evict_first", "w_ptr", "z_ptr", "tl.max(kept", "num_stages="];
        assert_drawn(Class::Again, &[&targets[..], &behind[..], &ways[..]].concat());
    }

    #[test]
    fn halves_of_words_are_added_to_in_every_way() {
        let places = ["holes(groups(", "place = i * 2 + 1", "place = i * 3 + 1", "place = i\n", "x, mask=i < n"];
        let ways = ["y_ptr_elements[1:]", "old = tl.atomic_add(", "sem='release'", "bfloat16", "if turn % 2 == 0:"];
        assert_drawn(Class::Halves, &[places, ways].concat());
    }
}
