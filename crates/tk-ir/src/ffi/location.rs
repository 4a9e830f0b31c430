//! `Location`: where an operation came from.

use super::*;
use mlir_sys::{MlirAttribute, MlirLocation};

/// A source location: a file position, a name around one, a call site, or several fused.
#[derive(Clone, Copy)]
pub struct Location<'c> {
    pub(super) raw: MlirLocation,
    pub(super) context: ContextRef<'c>,
}
handle!(Location, MlirLocation);

impl<'c> Context {
    /// No location: only for IR that no source text asked for.
    pub fn unknown_loc(&'c self) -> Location<'c> {
        Location::new(mlir!(mlirLocationUnknownGet(self.raw())), self)
    }

    /// A position in a file; line and column from 1.
    pub fn file_loc(&'c self, file: &str, line: u32, column: u32) -> Location<'c> {
        Location::new(mlir!(mlirLocationFileLineColGet(self.raw(), string_ref(file), line, column)), self)
    }

    /// A location that carries a name, such as the variable a value is assigned to.
    pub fn name_loc(&'c self, name: &str, child: Location<'c>) -> Location<'c> {
        Location::new(mlir!(mlirLocationNameGet(self.raw(), string_ref(name), child.raw)), self)
    }

    /// `callee` as called from `caller`.
    pub fn callsite_loc(&'c self, callee: Location<'c>, caller: Location<'c>) -> Location<'c> {
        Location::new(mlir!(mlirLocationCallSiteGet(callee.raw, caller.raw)), self)
    }

    /// Several locations at once.
    pub fn fused_loc(&'c self, locations: &[Location<'c>]) -> Location<'c> {
        let raw: Vec<MlirLocation> = locations.iter().map(|location| location.raw).collect();
        let none = MlirAttribute { ptr: std::ptr::null() };
        Location::new(mlir!(mlirLocationFusedGet(self.raw(), raw.len() as isize, raw.as_ptr(), none)), self)
    }
}

impl<'c> Location<'c> {
    /// File, line and column of the innermost position: through names, into the callee of call sites, the first of
    /// several. `None` when there is none.
    pub fn file_line_col(self) -> Option<(&'c str, u32, u32)> {
        let mut pending = vec![self];
        while let Some(location) = pending.pop() {
            if location.is_file() {
                let file =
                    as_str(mlir!(mlirIdentifierStr(mlir!(mlirLocationFileLineColRangeGetFilename(location.raw)))));
                let line = mlir!(mlirLocationFileLineColRangeGetStartLine(location.raw));
                let column = mlir!(mlirLocationFileLineColRangeGetStartColumn(location.raw));
                return Some((file, line as u32, column as u32));
            }
            pending.extend(location.children().into_iter().rev());
        }
        None
    }

    /// The name of a named location: the outermost one found through call sites.
    pub fn name(self) -> Option<&'c str> {
        let mut location = self;
        loop {
            if mlir!(mlirLocationIsAName(location.raw)) {
                return Some(as_str(mlir!(mlirIdentifierStr(mlir!(mlirLocationNameGetName(location.raw))))));
            }
            location = location.callee()?;
        }
    }

    /// A plain file position.
    pub fn is_file(self) -> bool {
        mlir!(mlirLocationIsAFileLineColRange(self.raw))
    }

    /// The called place of a call site.
    pub fn callee(self) -> Option<Location<'c>> {
        self.is_callsite().then(|| Location::new(mlir!(mlirLocationCallSiteGetCallee(self.raw)), self.context))
    }

    /// The calling place of a call site.
    pub fn caller(self) -> Option<Location<'c>> {
        self.is_callsite().then(|| Location::new(mlir!(mlirLocationCallSiteGetCaller(self.raw)), self.context))
    }

    /// A call site.
    pub fn is_callsite(self) -> bool {
        mlir!(mlirLocationIsACallSite(self.raw))
    }

    /// The locations it is made of, innermost user position first.
    fn children(self) -> Vec<Location<'c>> {
        if mlir!(mlirLocationIsAName(self.raw)) {
            return vec![Location::new(mlir!(mlirLocationNameGetChildLoc(self.raw)), self.context)];
        }
        if let (Some(callee), Some(caller)) = (self.callee(), self.caller()) {
            return vec![callee, caller];
        }
        if !mlir!(mlirLocationIsAFused(self.raw)) {
            return Vec::new();
        }
        let count = mlir!(mlirLocationFusedGetNumLocations(self.raw)) as usize;
        let mut raw = vec![MlirLocation { ptr: std::ptr::null() }; count];
        mlir!(mlirLocationFusedGetLocations(self.raw, raw.as_mut_ptr()));
        raw.into_iter().map(|raw| Location::new(raw, self.context)).collect()
    }
}

impl std::fmt::Debug for Location<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&printed(|callback, out| mlir!(mlirLocationPrint(self.raw, callback, out))))
    }
}
