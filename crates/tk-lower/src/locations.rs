//! Source places as MLIR locations: file, line and column, the variable's name, and the chain of inlined calls.

use rustc_hash::FxHashMap;
use tk_check::checked::{Kernel, Loc, Op};
use tk_diag::Span;
use tk_ir::{Context, Location};

/// Makes locations and remembers those of spans it has seen.
pub(crate) struct Locations<'c, 'k> {
    context: &'c Context,
    kernel: &'k Kernel,
    spans: FxHashMap<u32, Location<'c>>,
}

impl<'c, 'k> Locations<'c, 'k> {
    pub(crate) fn new(context: &'c Context, kernel: &'k Kernel) -> Self {
        Self { context, kernel, spans: FxHashMap::default() }
    }

    /// Where an op came from, with the name of the variable its result was assigned to.
    pub(crate) fn of_op(&mut self, op: &Op) -> Location<'c> {
        let place = self.of_loc(op.loc);
        let name = op.results.first().and_then(|result| self.kernel.values[result.0 as usize].name.as_deref());
        match name {
            Some(name) => self.context.name_loc(name, place),
            None => place,
        }
    }

    fn of_loc(&mut self, loc: Loc) -> Location<'c> {
        let mut place = self.of_span(loc.span);
        let mut call = loc.call;
        // A call chain is as long as the nesting of inlined functions, which the checker bounds.
        while let Some(site) = call.and_then(|index| self.kernel.call_sites.get(index as usize)) {
            let caller = self.of_span(site.span);
            place = self.context.callsite_loc(place, caller);
            call = site.call;
        }
        place
    }

    /// The first byte of a span.
    pub(crate) fn of_span(&mut self, span: Span) -> Location<'c> {
        let (context, file) = (self.context, &self.kernel.file);
        *self.spans.entry(span.start).or_insert_with(|| {
            let part = file.part_at(span.start);
            let at = part.line_column(span.start);
            context.file_loc(part.name(), at.line, at.column)
        })
    }
}
