//! Turns `src/python.lalrpop` into a parser under `OUT_DIR`. It is its own crate so that this cost is paid rarely.

fn main() {
    println!("cargo:rerun-if-changed=src/python.lalrpop");
    if let Err(error) = lalrpop::process_src() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
