//! Every row of the language has a test over its types; tests/cases/tables/coverage.table says which.

use tk_tests::root;

fn language_tests() -> Vec<(String, String)> {
    let entries = std::fs::read_dir(root().join("tests/language")).expect("the folder is there");
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let read = |path: std::path::PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        (name, std::fs::read_to_string(&path).unwrap_or_default())
    };
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "tk")).map(read).collect()
}

#[test]
fn every_row_of_the_language_has_a_test_over_its_types() {
    let rows = tk_cases::coverage(&language_tests()).unwrap_or_else(|error| panic!("{error}"));
    assert!(rows.len() > 250, "only {} rows", rows.len());
    let lacking: Vec<String> = rows
        .iter()
        .filter_map(|(row, lacking)| Some(format!("[{}] {}: {}", row.section, row.name, lacking.as_ref()?)))
        .collect();
    assert!(lacking.is_empty(), "{} rows\n{}", lacking.len(), lacking.join("\n"));
}

/// What the checker knows is in the table, so that a new function cannot come without a test.
#[test]
fn every_function_that_compiles_has_a_row() {
    let rows = tk_cases::rows().unwrap_or_else(|error| panic!("{error}"));
    let has = |section: &str, name: &str| rows.iter().any(|row| row.section == section && row.name == name);
    let missing: Vec<&str> =
        tk_check::supported_functions().into_iter().filter(|name| !has("triton.language", name)).collect();
    let functions = tk_check::supported_libdevice();
    let missing: Vec<&str> =
        missing.into_iter().chain(functions.into_iter().filter(|name| !has("libdevice", name))).collect();
    assert!(missing.is_empty(), "no row of {}", missing.join(", "));
}
