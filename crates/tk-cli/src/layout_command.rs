//! `tk layout '#ttg.blocked<{…}>' --shape 64x64`: who owns what.

use crate::Output;
use crate::arguments::LayoutArgs;
use crate::failure::Failure;
use tk_diag::{BAD_LAYOUT, Diagnostic};

pub(crate) fn draw(args: &LayoutArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    let bad = |what: String| Failure(vec![Diagnostic::error(BAD_LAYOUT, what)]);
    let encoding = tk_layout::Encoding::parse(&args.layout).map_err(bad)?;
    let shape = parse_shape(&args.shape)?;
    let drawing = tk_layout::draw(&encoding, &shape).map_err(bad)?;
    if args.json {
        let found = serde_json::json!({ "layout": args.layout, "shape": shape, "text": drawing });
        writeln!(output.out, "{found}")?;
        return Ok(());
    }
    write!(output.out, "{drawing}")?;
    Ok(())
}

/// `64x64` as dimensions, each a power of two.
fn parse_shape(text: &str) -> Result<Vec<i64>, Failure> {
    let dim = |part: &str| part.trim().parse::<i64>().ok().filter(|n| (1..=1 << 20).contains(n) && n & (n - 1) == 0);
    let shape: Option<Vec<i64>> = text.split('x').map(dim).collect();
    shape.filter(|shape| shape.len() <= 8 && shape.iter().product::<i64>() <= 1 << 20).ok_or_else(|| {
        Failure::usage(format!("`{text}` is not a shape; write powers of two with `x` between them, such as 64x64"))
    })
}
