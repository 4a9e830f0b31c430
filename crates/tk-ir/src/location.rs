//! `Location`: where an operation came from.

use crate::handle::handle;
use crate::{Context, ffi};

handle! {
    /// A source location: a file position, a name around one, a call site, or several fused.
    Location over melior::ir::Location<'c>
}

impl Context {
    /// No location: only for IR that no source text asked for.
    pub fn unknown_loc(&self) -> Location<'_> {
        Location::new(melior::ir::Location::unknown(self.melior()), self)
    }

    /// A position in a file; line and column from 1.
    pub fn file_loc(&self, file: &str, line: u32, column: u32) -> Location<'_> {
        Location::new(melior::ir::Location::new(self.melior(), file, line as usize, column as usize), self)
    }

    /// A location that carries a name, such as the variable a value is assigned to.
    pub fn name_loc<'c>(&'c self, name: &str, child: Location<'c>) -> Location<'c> {
        Location::new(melior::ir::Location::name(self.melior(), name, child.melior), self)
    }

    /// `callee` as called from `caller`.
    pub fn callsite_loc<'c>(&'c self, callee: Location<'c>, caller: Location<'c>) -> Location<'c> {
        Location::new(melior::ir::Location::call_site(callee.melior, caller.melior), self)
    }

    /// Several locations at once.
    pub fn fused_loc<'c>(&'c self, locations: &[Location<'c>]) -> Location<'c> {
        let locations: Vec<_> = locations.iter().map(|location| location.melior).collect();
        Location::new(melior::ir::Location::fused(self.melior(), &locations, ffi::no_attribute()), self)
    }
}

impl<'c> Location<'c> {
    /// File, line and column of the innermost position: through names, into the callee of call sites, the first of
    /// several. `None` when there is none.
    pub fn file_line_col(self) -> Option<(&'c str, u32, u32)> {
        let file = innermost_file(self.melior)?;
        let (line, column) = (file.file_line_col_range_start_line(), file.file_line_col_range_start_column());
        Some((ffi::identifier(file.file_line_col_range_filename()), line as u32, column as u32))
    }

    /// The name of a named location: the outermost one found through call sites.
    pub fn name(self) -> Option<&'c str> {
        let mut location = self;
        loop {
            if location.melior.is_name() {
                return Some(ffi::identifier(location.melior.name_value()));
            }
            location = location.callee()?;
        }
    }

    /// A plain file position.
    pub fn is_file(self) -> bool {
        self.melior.is_file_line_col_range()
    }

    /// The called place of a call site.
    pub fn callee(self) -> Option<Location<'c>> {
        self.is_callsite().then(|| Location::new(self.melior.call_site_callee(), self.context))
    }

    /// The calling place of a call site.
    pub fn caller(self) -> Option<Location<'c>> {
        self.is_callsite().then(|| Location::new(self.melior.call_site_caller(), self.context))
    }

    /// A call site.
    pub fn is_callsite(self) -> bool {
        self.melior.is_call_site()
    }
}

/// The file position inside a location, as [`Location::file_line_col`] looks for it.
pub(crate) fn innermost_file(location: melior::ir::Location<'_>) -> Option<melior::ir::Location<'_>> {
    if location.is_file_line_col_range() {
        Some(location)
    } else if location.is_name() {
        innermost_file(location.name_child_location())
    } else if location.is_call_site() {
        innermost_file(location.call_site_callee()).or_else(|| innermost_file(location.call_site_caller()))
    } else if location.is_fused() {
        (0..location.fused_num_locations()).find_map(|index| innermost_file(location.fused_location(index)))
    } else {
        None
    }
}

impl std::fmt::Debug for Location<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.melior)
    }
}
