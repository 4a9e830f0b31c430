//! `tk opt FILE --passes a,b,c`, or `--from a --to c`.

use crate::arguments::OptArgs;
use crate::failure::Failure;
use crate::show::Show;
use crate::{Output, files};
use serde_json::json;
use tk_driver::{Form, Steps};

pub(crate) fn optimize(args: &OptArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    let program = "`tk compile FILE --emit tt` makes MLIR of it";
    let source = files::read_in(&args.file, Form::Mlir, "passes work on MLIR", program)?;
    let mut show = Show::new(&args.show)?;
    let form = crate::form_command::request(&source, args.given()?);
    let steps = match (&args.passes, &args.from, &args.to) {
        (None, None, None) => Steps::Named(""),
        (Some(passes), _, _) => Steps::Named(passes),
        (None, from, to) => Steps::Pipeline { from: from.as_deref(), to: to.as_deref() },
    };
    let result = tk_driver::optimize(&form, steps, args.locations, &mut show);
    write!(output.err, "{}{}", show.printed, show.time_table())?;
    let text = result?.text;
    if let Some(path) = &args.output {
        files::write(path, text.as_bytes())?;
    }
    match (args.show.json, &args.output) {
        (true, None) => writeln!(output.out, "{}", json!({ "text": text, "steps": show.steps_json() }))?,
        (true, Some(path)) => {
            let file = path.display().to_string();
            writeln!(output.out, "{}", json!({ "file": file, "steps": show.steps_json() }))?;
        }
        (false, None) => write!(output.out, "{text}")?,
        (false, Some(_)) => {}
    }
    Ok(())
}
