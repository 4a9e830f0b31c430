//! `tk opt FILE --passes a,b,c`, or `--from a --to c`.

use crate::arguments::OptArgs;
use crate::failure::Failure;
use crate::show::Show;
use crate::{Output, files};
use tk_driver::Steps;

pub(crate) fn optimize(args: &OptArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    let source = files::read(&args.file)?;
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
    match &args.output {
        Some(path) => files::write(path, text.as_bytes())?,
        None => write!(output.out, "{text}")?,
    }
    Ok(())
}
