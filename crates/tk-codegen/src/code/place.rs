//! Source places: which `.loc` an instruction gets.

use super::Code;
use super::ffi::{DebugNode, LineTable};
use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::values::FunctionValue;
use rustc_hash::FxHashMap;

/// The places of one function by number; 0 is the function itself.
pub(crate) struct SourcePlaces<'l> {
    table: Option<LineTable<'l>>,
    file: String,
    scopes: FxHashMap<String, DebugNode>,
    numbers: FxHashMap<(u32, u32, u32), u32>,
    nodes: Vec<DebugNode>,
    files: Vec<String>,
}

impl<'l> SourcePlaces<'l> {
    /// Line information for a function that starts at `line` of `file`.
    pub(crate) fn new(
        context: &'l Context,
        module: &Module<'l>,
        function: FunctionValue<'l>,
        file: &str,
        line: u32,
    ) -> Self {
        let table = LineTable::new(context, module, function, file, line);
        let start = table.location(table.function_scope(), line, 0);
        Self {
            nodes: vec![start],
            file: file.to_owned(),
            scopes: FxHashMap::default(),
            numbers: FxHashMap::default(),
            files: Vec::new(),
            table: Some(table),
        }
    }

    /// No line information.
    pub(crate) fn none() -> Self {
        Self {
            table: None,
            file: String::new(),
            scopes: FxHashMap::default(),
            numbers: FxHashMap::default(),
            nodes: Vec::new(),
            files: Vec::new(),
        }
    }

    /// The number of a place; 0 when there is no line information.
    fn number(&mut self, file: &str, line: u32, column: u32) -> u32 {
        let Some(table) = &self.table else { return 0 };
        let file_number = match self.files.iter().position(|known| known == file) {
            Some(number) => number as u32,
            None => {
                self.files.push(file.to_owned());
                self.files.len() as u32 - 1
            }
        };
        *self.numbers.entry((file_number, line, column)).or_insert_with(|| {
            let scope = if file == self.file {
                table.function_scope()
            } else {
                *self.scopes.entry(file.to_owned()).or_insert_with(|| table.scope_in(file))
            };
            self.nodes.push(table.location(scope, line, column));
            self.nodes.len() as u32 - 1
        })
    }

    /// Instructions built from now on come from place `number`.
    pub(super) fn apply(&self, builder: &Builder<'l>, number: u32) {
        if let (Some(table), Some(node)) = (&self.table, self.nodes.get(number as usize)) {
            table.apply(builder, *node);
        }
    }
}

impl Code<'_> {
    /// What is written from now on comes from this place of the source.
    pub(crate) fn set_place(&mut self, place: Option<(&str, u32, u32)>) {
        if let Some((file, line, column)) = place {
            self.place = self.places.number(file, line, column);
        }
    }
}
