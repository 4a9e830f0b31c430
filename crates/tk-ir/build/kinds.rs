//! `kinds.rs`: the enum of operation kinds and their names.

use crate::ods::{Ods, doc, kind_name};
use std::fmt::Write;

/// The text of the generated file.
pub(crate) fn text(ods: &Ods) -> String {
    let (mut variants, mut all, mut names) = (String::new(), String::new(), String::new());
    for operation in &ods.operations {
        let kind = kind_name(operation);
        let _ = writeln!(variants, "{}\n{kind},", doc(&format!("`{}`: {}", operation.name, operation.summary)));
        let _ = writeln!(all, "OpKind::{kind},");
        let _ = writeln!(names, "OpKind::{kind} => {:?},", operation.name);
    }
    format!(
        "/// Which operation something is. [`OpKind::Other`] stands for the ones tk has no name for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum OpKind {{
            {variants}
            /// An operation that tk has no name for.
            Other,
        }}

        impl OpKind {{
            /// Every kind but [`OpKind::Other`].
            pub const ALL: &'static [OpKind] = &[{all}];

            /// The full name, such as `tt.load`; empty for [`OpKind::Other`].
            pub fn name(self) -> &'static str {{
                match self {{
                    {names}
                    OpKind::Other => \"\",
                }}
            }}
        }}
        "
    )
}
