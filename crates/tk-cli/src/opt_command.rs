//! `tk opt FILE --passes a,b,c`.

use crate::arguments::OptArgs;
use crate::failure::Failure;
use crate::show::Show;
use crate::{Output, files};
use tk_driver::OptimizeRequest;

pub(crate) fn optimize(args: &OptArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    let source = files::read(&args.file)?;
    let target = crate::compile_command::target(args.target.as_deref())?;
    let mut show = Show::new(&args.show);
    let request = OptimizeRequest {
        passes: &args.passes,
        target: &target,
        num_stages: args.num_stages,
        locations: args.locations,
    };
    let result = tk_driver::optimize(&source, &request, &mut show);
    write!(output.err, "{}{}", show.printed, show.time_table())?;
    let text = result?.text;
    match &args.output {
        Some(path) => files::write(path, text.as_bytes())?,
        None => write!(output.out, "{text}")?,
    }
    Ok(())
}
