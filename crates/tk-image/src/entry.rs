//! The parameter list of one PTX entry point, read from the text's header alone.
//!
//! A launch hands the driver one pointer per entry parameter and the driver trusts the count, so tk has to know it.
//! The compiler appends hidden pointers (scratch memory) that the image does not list; they are counted here.
//! This is a scan of a few header lines rather than a parse of the module: it runs at every load, on text that may use
//! instructions tk's own PTX reader does not know.

use crate::{ImageError, KernelImage};

/// Bytes of each parameter of the entry point, in order.
fn parameter_bytes(ptx: &str, entry: &str) -> Option<Vec<u32>> {
    let header = entry_header(ptx, entry)?;
    let Some(list) = header.trim_start().strip_prefix('(') else { return Some(Vec::new()) };
    let list = &list[..list.find(')')?];
    if list.trim().is_empty() {
        return Some(Vec::new());
    }
    list.split(',').map(one_parameter_bytes).collect()
}

/// The text after `.entry NAME`.
fn entry_header<'a>(ptx: &'a str, entry: &str) -> Option<&'a str> {
    let mut rest = ptx;
    while let Some(at) = rest.find(".entry") {
        rest = &rest[at + ".entry".len()..];
        let name = rest.trim_start();
        if let Some(after) = name.strip_prefix(entry)
            && !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$')
        {
            return Some(after);
        }
    }
    None
}

/// `.param .u64 .ptr .global .align 1 x` → 8; `.param .align 4 .b8 x[12]` → 12.
fn one_parameter_bytes(text: &str) -> Option<u32> {
    let mut words = text.lines().map(|line| line.split("//").next().unwrap_or("")).flat_map(str::split_whitespace);
    let ty = words.find_map(|word| {
        let (kind, bits) = word.strip_prefix('.')?.split_at_checked(1)?;
        (matches!(kind, "b" | "u" | "s" | "f")).then_some(())?;
        bits.parse::<u32>().ok()
    })?;
    let count = match text.split_once('[') {
        Some((_, rest)) => rest.split_once(']')?.0.trim().parse::<u32>().ok()?,
        None => 1,
    };
    (ty / 8).checked_mul(count)
}

impl KernelImage {
    /// How many hidden parameters follow the image's own, after checking that image and PTX agree on the rest.
    ///
    /// # Errors
    /// An [`ImageError::Invalid`] that says what the two do not agree on.
    pub fn hidden_parameters(&self) -> Result<usize, ImageError> {
        let wrong = |what: String| Err(ImageError::Invalid(format!("`{}`: {what}", self.entry)));
        let Some(bytes) = parameter_bytes(&self.ptx, &self.entry) else {
            let what = format!("the PTX has no entry point `{}` with a readable parameter list", self.entry);
            return Err(ImageError::Invalid(what));
        };
        let Some(hidden) = bytes.len().checked_sub(self.params.len()) else {
            return wrong(format!("the PTX has {} parameters and the image {}", bytes.len(), self.params.len()));
        };
        for (param, have) in self.params.iter().zip(&bytes) {
            let want = param.kind.bytes();
            if want != *have {
                return wrong(format!(
                    "parameter `{}` has {want} bytes in the image and {have} in the PTX",
                    param.name
                ));
            }
        }
        if let Some(other) = bytes[self.params.len()..].iter().find(|bytes| **bytes != 8) {
            return wrong(format!("the PTX has a hidden parameter of {other} bytes, which is not a pointer"));
        }
        if hidden == 0 && self.global_scratch_bytes > 0 {
            return wrong("the image asks for scratch memory, and the PTX has no parameter for it".to_string());
        }
        Ok(hidden)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_from_the_header() {
        let ptx = ".version 8.7\n.visible .entry other(.param .u64 x)\n{ ret; }\n\
            .visible .entry k(\n\t.param .u64 .ptr .global .align 1 k_param_0, // a comment\n\t.param .u32 k_param_1,\n\
            \t.param .f32 p, .param .align 64 .b8 d[128], .param .b8 flag\n)\n.reqntid 128\n{ ret; }\n";
        assert_eq!(parameter_bytes(ptx, "k"), Some(vec![8, 4, 4, 128, 1]));
        assert_eq!(parameter_bytes(ptx, "other"), Some(vec![8]));
        assert_eq!(parameter_bytes(ptx, "oth"), None);
        assert_eq!(parameter_bytes(".entry e() { }", "e"), Some(vec![]));
        assert_eq!(parameter_bytes(".entry e { }", "e"), Some(vec![]));
        assert_eq!(parameter_bytes(".entry e(", "e"), None);
        assert_eq!(parameter_bytes(".entry", "e"), None);
    }
}
