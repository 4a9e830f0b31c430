//! `tk opt FILE --passes a,b,c`.

use crate::arguments::OptArgs;
use crate::failure::Failure;
use crate::show::Show;
use crate::{Output, files};

pub(crate) fn optimize(args: &OptArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    let source = files::read(&args.file)?;
    let target = crate::compile_command::target(args.target.as_deref())?;
    let mut show = Show::new(&args.show);
    let result = tk_driver::optimize(&source, &args.passes, &target, args.num_stages, args.locations, &mut show);
    write!(output.err, "{}{}", show.printed, show.time_table())?;
    let text = result?.text;
    match &args.output {
        Some(path) => files::write(path, text.as_bytes())?,
        None => write!(output.out, "{text}")?,
    }
    Ok(())
}
