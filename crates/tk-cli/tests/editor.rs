//! `tk lsp` in an editor: neovim without a screen, set up as docs/editor.md says. A machine without neovim fails here.

use std::path::Path;
use std::process::{Command, Stdio};

/// The first example of a page in this language.
fn example<'p>(page: &'p str, language: &str) -> &'p str {
    let (_, behind) = page.split_once(&format!("```{language}\n")).expect("the page has an example");
    behind.split_once("```").expect("the example ends").0
}

#[test]
fn diagnostics_hover_definition_and_completion_in_neovim() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/editor.md")).expect("the page is there");
    let folder = tempfile::tempdir().expect("a folder");
    let configuration = folder.path().join("tk.lua");
    std::fs::write(&configuration, example(&page, "lua")).expect("the folder can be written");
    let file = folder.path().join("scale.tk");
    std::fs::copy(root.join("tests/editor/scale.tk"), &file).expect("the folder can be written");
    // The configuration starts `tk`, which is this one.
    let programs = Path::new(env!("CARGO_BIN_EXE_tk")).parent().expect("it is in a folder").to_path_buf();
    let old = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&old))).expect("a path");
    let script = format!("luafile {}", root.join("tests/editor/neovim.lua").display());
    let mut command = Command::new("nvim");
    command.args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", &script]).stdin(Stdio::null());
    command.env("PATH", path).env("CONFIGURATION", &configuration).env("FILE", &file);
    // Its log and other files stay out of the user's folders.
    for variable in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.env(variable, folder.path());
    }
    let output = command.output().expect("nvim is installed (scripts/setup)");
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success() && text.contains("done"), "{text}");
}
