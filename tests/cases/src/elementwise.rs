//! Element-wise operations: every row of a table for every type, many rows in one kernel.

use crate::draw::{draw, seeded};
use crate::file::{Array, File, Kernel};
use crate::number::{Number, Type};
use crate::reference;
use crate::table::Row;
use std::collections::BTreeMap;

/// Elements of a case: one for each thread of four warps, or four for each thread of one warp.
pub const ELEMENTS: usize = 128;

/// Rows in one kernel: enough to make compilation cheap, few enough to name the kernel that fails to compile.
const ROWS: usize = 12;

/// The files of a table, one per section.
pub fn files(rows: &[Row]) -> Result<Vec<File>, String> {
    let mut sections: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        sections.entry(&row.section).or_default().push(row);
    }
    let mut files = Vec::new();
    for (section, rows) in sections {
        let mut kernels = Vec::new();
        for ty in Type::all() {
            let rows: Vec<&Row> = rows.iter().copied().filter(|row| row.types.contains(&ty)).collect();
            for (part, rows) in rows.chunks(ROWS).enumerate() {
                kernels.push(kernel(&format!("{section}_{}_{part}", ty.name()), ty, part, rows)?);
            }
        }
        let about = format!("Element-wise operations: {section}");
        let triton = rows.iter().all(|row| row.triton);
        files.push(File { name: section.to_string(), about, kernels, triton });
    }
    Ok(files)
}

fn kernel(name: &str, ty: Type, part: usize, rows: &[&Row]) -> Result<Kernel, String> {
    let mut kernel = Kernel::new(name);
    kernel.warps = [4, 1, 2][part % 3];
    kernel.line(format!("i = tl.arange(0, {ELEMENTS})"));
    let mut inputs: Vec<(String, Vec<Number>)> = Vec::new();
    for row in rows {
        let mut arguments = Vec::new();
        for (slot, domain) in row.domains.iter().enumerate() {
            let key = format!("{domain} {slot}");
            let at = match inputs.iter().position(|(known, _)| *known == key) {
                Some(at) => at,
                None => {
                    let values = draw(ty, domain, ELEMENTS, &mut seeded(&format!("{} {key}", ty.name())))
                        .map_err(|error| format!("{}: {error}", row.expression))?;
                    kernel.arrays.push(Array::input(&format!("in{}_ptr", inputs.len()), ty, &values));
                    inputs.push((key, values));
                    inputs.len() - 1
                }
            };
            kernel.line(format!("{} = tl.load(in{at}_ptr + i)", ["x", "y", "z"][slot]));
            arguments.push(at);
        }
        let result = row.result(ty);
        let expected = (0..ELEMENTS)
            .map(|i| {
                let values: Vec<Number> = arguments.iter().map(|at| inputs[*at].1[i]).collect();
                reference::apply(&row.reference, &values, ty, result)
                    .ok_or_else(|| format!("{}: no reference `{}` for {}", row.expression, row.reference, ty.name()))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let case = format!("{} of {}", row.expression, ty.name());
        let output = kernel.output(result);
        let name = output.name.clone();
        let start = output.expect(case, expected, row.tolerance);
        kernel.line(format!("r = {}", row.expression));
        kernel.line(format!("tl.static_assert(r.dtype == tl.{})", result.tl()));
        kernel.line(format!("tl.store({name} + {start} + i, r)"));
    }
    Ok(kernel)
}
