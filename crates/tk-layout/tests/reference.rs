//! Every encoding of `data/reference_bases.txt` (text, shape and bases as Triton 3.9.0 gives them) has the same text and bases here.

use tk_layout::{Dim, Encoding, LinearLayout};

fn bases(layout: &LinearLayout, dim: Dim) -> String {
    format!("{:?}", (0..layout.in_bits(dim)).map(|bit| layout.basis_vector(dim, bit)).collect::<Vec<_>>())
}

#[test]
fn encodings_have_the_reference_bases() {
    let mut wrong = Vec::new();
    let cases = include_str!("data/reference_bases.txt");
    for line in cases.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let encoding = Encoding::parse(fields[0]).unwrap_or_else(|why| panic!("{why}: {line}"));
        assert_eq!(encoding.to_string(), fields[0]);
        let shape: Vec<i64> =
            fields[1].trim_matches(['[', ']']).split(", ").map(|size| size.parse().unwrap()).collect();
        let layout = encoding.to_linear(&shape).unwrap_or_else(|why| panic!("{why}: {line}"));
        let dims = if fields.len() == 5 { vec![Dim::Register, Dim::Lane, Dim::Warp] } else { vec![Dim::Offset] };
        for (dim, expected) in dims.into_iter().zip(&fields[2..]) {
            if bases(&layout, dim) != *expected {
                wrong.push(format!("{line}\n    {dim}: {}", bases(&layout, dim)));
            }
        }
    }
    assert!(cases.lines().count() > 500);
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
