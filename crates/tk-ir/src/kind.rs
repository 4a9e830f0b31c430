//! `OpKind`: one name for every operation tk knows, so that nothing compares strings.
//!
//! The kinds are those of `td/kinds.td` in tk-dialect: the dialect and the class of an operation, so `tt.load` is `TtLoad`.

include!(concat!(env!("OUT_DIR"), "/kinds.rs"));

impl OpKind {
    /// The dialect part of the name: `tt` of `tt.load`.
    pub fn dialect(self) -> &'static str {
        self.name().split('.').next().unwrap_or("")
    }

    /// The kind with this full name; for command lines and tables, not for looking at operations.
    pub fn from_name(name: &str) -> Option<OpKind> {
        OpKind::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

impl std::fmt::Display for OpKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if *self == OpKind::Other { "other" } else { self.name() })
    }
}
