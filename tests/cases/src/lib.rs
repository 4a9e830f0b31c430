//! Generated cases: the whole language against references, as data.
//!
//! Tables (`tests/cases/tables`) and the short programs of the modules here say what is tested; [`write`] expands them
//! into `.tk` files with inputs and expected bits. `cargo test -p tk-tests --test suite cases::` runs them on the simulator, and a
//! bundle carries them as `cases/` for `tk test cases/*.tk --device cuda`.

pub mod atomic;
pub mod casts;
pub mod constancy;
pub mod coverage;
pub mod descriptor;
pub mod dot;
pub mod draw;
pub mod elementwise;
pub mod file;
pub mod handbook;
pub mod memory;
pub mod number;
pub mod programs;
pub mod promotion;
pub mod python;
pub mod random;
pub mod reduce;
pub mod reference;
pub mod shape;
pub mod table;
pub mod tensor;

use file::File;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

const COVERAGE: &str = include_str!("../tables/coverage.table");
const ELEMENTWISE: &str = include_str!("../tables/elementwise.table");
const PAGE: &str = include_str!("../../../docs/language.md");
const LIBDEVICE: &str = include_str!("../tables/libdevice.table");
const METHODS: &str = include_str!("../tables/methods.table");
const PYTHON: &str = include_str!("../tables/python.table");
const PROMOTION: &str = include_str!("../tables/promotion.table");

/// Every generated file, which a process generates once. The error names the table and the row that cannot be expanded.
pub fn files() -> Result<&'static [File], String> {
    static FILES: OnceLock<Result<Vec<File>, String>> = OnceLock::new();
    FILES.get_or_init(generated).as_deref().map_err(Clone::clone)
}

fn generated() -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    for (name, text) in [("elementwise.table", ELEMENTWISE), ("libdevice.table", LIBDEVICE)] {
        let rows = table::read(text).map_err(|error| format!("{name}: {error}"))?;
        files.extend(elementwise::files(&rows).map_err(|error| format!("{name}: {error}"))?);
    }
    files.extend(casts::files()?);
    files.extend(reduce::files());
    files.extend(shape::files());
    files.extend(memory::files());
    files.extend(atomic::files());
    files.extend(dot::files());
    files.extend(constancy::files());
    files.extend(random::files());
    files.extend(descriptor::files());
    for (name, about, text) in [("python", "The Python that kernels use", PYTHON), ("methods", "Methods", METHODS)] {
        files.extend(python::files(name, about, text).map_err(|error| format!("{name}.table: {error}"))?);
    }
    files.extend(promotion::files(PROMOTION)?);
    Ok(files)
}

/// Kernels that the checker must refuse, as a name and a text.
pub fn refusals() -> Result<Vec<(String, String)>, String> {
    promotion::refusals(PROMOTION)
}

/// The rows of the language that have tests.
pub fn rows() -> Result<Vec<coverage::Row>, String> {
    coverage::read(COVERAGE)
}

/// These rows, and what each of them lacks; the texts are those of tests/language, which they may name.
pub fn coverage(language: &[(String, String)]) -> Result<Vec<(coverage::Row, Option<String>)>, String> {
    let mut features = python::features(PYTHON)?;
    features.extend(python::features(METHODS)?);
    let (files, examples) = (files()?, handbook::examples(PAGE)?);
    let tests = coverage::Tests { files, examples: &examples, features: &features, language };
    Ok(rows()?.into_iter().map(|row| (row.clone(), tests.lacking(&row))).collect())
}

/// What [`write`] has written.
#[derive(Clone, Debug)]
pub struct Written {
    /// The `.tk` file.
    pub path: PathBuf,
    /// Its cases.
    pub cases: usize,
    /// Whether Triton accepts it, too.
    pub triton: bool,
}

/// Writes every file into a folder, which is made when it is not there.
pub fn write(folder: &Path) -> Result<Vec<Written>, String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut written = Vec::new();
    for file in files()? {
        let path = folder.join(format!("{}.tk", file.name));
        std::fs::write(&path, file.text()).map_err(|error| format!("{}: {error}", path.display()))?;
        written.push(Written { path, cases: file.cases(), triton: file.triton });
    }
    for example in handbook::examples(PAGE)? {
        let is_program = !example.name.contains('.');
        let path = folder.join(if is_program { format!("{}.tk", example.name) } else { example.name.clone() });
        std::fs::write(&path, &example.text).map_err(|error| format!("{}: {error}", path.display()))?;
        if is_program {
            written.push(Written { path, cases: example.cases, triton: false });
        }
    }
    Ok(written)
}
