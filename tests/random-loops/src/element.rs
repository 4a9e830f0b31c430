//! Element types of operands, and how large a whole number may become in each.

/// An element type of the operands of products.
#[derive(Debug)]
pub(crate) struct Element {
    /// Its name in a kernel, behind `tl.`.
    pub(crate) kernel: &'static str,
    /// Its name on the host, behind `torch.`.
    pub(crate) torch: &'static str,
    pub(crate) bytes: usize,
    /// Whole numbers up to this are exact.
    pub(crate) exact: i64,
    /// Sums of products up to this are exact.
    pub(crate) sums: i64,
    /// How often it is drawn.
    weight: f64,
}

const LARGE_SUMS: i64 = 1 << 22;

/// All of them. Tensor cores keep 13 bits of sums of 8-bit floats.
const ELEMENTS: [Element; 5] = [
    Element { kernel: "float16", torch: "float16", bytes: 2, exact: 2048, sums: LARGE_SUMS, weight: 5.0 },
    Element { kernel: "bfloat16", torch: "bfloat16", bytes: 2, exact: 256, sums: LARGE_SUMS, weight: 2.0 },
    Element { kernel: "int8", torch: "int8", bytes: 1, exact: 127, sums: LARGE_SUMS, weight: 2.0 },
    Element { kernel: "float8e4nv", torch: "float8_e4m3fn", bytes: 1, exact: 16, sums: 1 << 12, weight: 2.0 },
    Element { kernel: "float32", torch: "float32", bytes: 4, exact: 1024, sums: LARGE_SUMS, weight: 2.0 },
];

impl Element {
    /// Each with its weight.
    pub(crate) fn weighted() -> Vec<(&'static Self, f64)> {
        ELEMENTS.iter().map(|element| (element, element.weight)).collect()
    }

    /// The least number of terms of a product of such elements.
    pub(crate) fn least_terms(&self) -> usize {
        match self.bytes {
            1 => 32,
            2 => 16,
            _ => 8,
        }
    }

    pub(crate) fn is_int(&self) -> bool {
        self.torch == "int8"
    }

    pub(crate) fn is_fp8(&self) -> bool {
        self.torch == "float8_e4m3fn"
    }

    /// The type of sums of products, on both sides.
    pub(crate) fn sum(&self) -> &'static str {
        if self.is_int() { "int32" } else { "float32" }
    }

    /// A whole number as a literal that the operands' and the sums' type takes.
    pub(crate) fn number(&self, value: i64) -> String {
        if self.is_int() { value.to_string() } else { format!("{value}.0") }
    }
}
