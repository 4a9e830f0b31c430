//! What parameters machine code and PTX say that their kernels take.
//!
//! The driver tells each parameter that is there. Asking it for one that is not there is a failed call, which compute-sanitizer reports as
//! an error of the program, so that no more are there is read from the code.

/// What the code of a kernel says of its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Machine code: all of them have so many bytes, gaps included.
    Bytes(usize),
    /// PTX: there are so many.
    Count(usize),
}

/// The attribute of machine code that holds the bytes of the parameters, `EIATTR_CBANK_PARAM_SIZE` in listings of cuobjdump.
const PARAMETER_BYTES: u8 = 0x19;

/// Attributes of machine code: how their values are stored, the first of their bytes.
const IN_PLACE: std::ops::RangeInclusive<u8> = 1..=3;

/// Bytes of a header of a section in ELF files of 64 bits.
const SECTION_BYTES: usize = 64;

/// What the code says of the parameters of `entry`; nothing where it does not say that.
pub(crate) fn parameters_of(code: &[u8], entry: &str) -> Option<Told> {
    if code.starts_with(b"\x7fELF") {
        let section = section(code, &format!(".nv.info.{entry}"))?;
        return parameter_bytes(section).map(Told::Bytes);
    }
    let text = std::str::from_utf8(code).ok()?;
    let (_, after) = text.split_once(&format!(".entry {entry}("))?;
    let (header, _) = after.split_once(')')?;
    Some(Told::Count(header.matches(".param").count()))
}

fn number<const BYTES: usize>(code: &[u8], at: usize) -> Option<usize> {
    let bytes = code.get(at..at.checked_add(BYTES)?)?;
    let mut value = [0; 8];
    value[..BYTES].copy_from_slice(bytes);
    usize::try_from(u64::from_le_bytes(value)).ok()
}

/// The contents of the section with this name.
fn section<'a>(code: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let headers = code.get(number::<8>(code, 0x28)?..)?;
    let (count, names) = (number::<2>(code, 0x3c)?, number::<2>(code, 0x3e)?);
    let contents = |header: &[u8]| {
        let start = number::<8>(header, 0x18)?;
        code.get(start..start.checked_add(number::<8>(header, 0x20)?)?)
    };
    let names = contents(headers.chunks_exact(SECTION_BYTES).nth(names)?)?;
    let is_it = |header: &&[u8]| {
        let text =
            number::<4>(header, 0).and_then(|at| names.get(at..)).and_then(|text| text.strip_prefix(name.as_bytes()));
        text.is_some_and(|rest| rest.first() == Some(&0))
    };
    contents(headers.chunks_exact(SECTION_BYTES).take(count).find(is_it)?)
}

/// Each attribute has its format, its number, and two bytes: its value, or the size of what follows.
fn parameter_bytes(mut section: &[u8]) -> Option<usize> {
    loop {
        let (format, attribute, value) = (*section.first()?, *section.get(1)?, number::<2>(section, 2)?);
        if attribute == PARAMETER_BYTES && IN_PLACE.contains(&format) {
            return Some(value);
        }
        let bytes = if IN_PLACE.contains(&format) { 4 } else { 4 + value };
        section = section.get(bytes..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An ELF file with two sections: names, and attributes of the kernel `k`.
    fn machine_code(attributes: &[u8]) -> Vec<u8> {
        let names = b"\0.nv.info.k2\0.nv.info.k\0";
        let (names_at, attributes_at) = (64, 64 + names.len());
        let headers_at = attributes_at + attributes.len();
        let mut code = vec![0; 64];
        code[..4].copy_from_slice(b"\x7fELF");
        code[0x28..0x30].copy_from_slice(&(headers_at as u64).to_le_bytes());
        code[0x3c..0x3e].copy_from_slice(&2u16.to_le_bytes());
        code.extend_from_slice(names);
        code.extend_from_slice(attributes);
        for (name, at, bytes) in [(0, names_at, names.len()), (13, attributes_at, attributes.len())] {
            let mut header = [0; SECTION_BYTES];
            header[..4].copy_from_slice(&u32::to_le_bytes(name));
            header[0x18..0x20].copy_from_slice(&(at as u64).to_le_bytes());
            header[0x20..0x28].copy_from_slice(&(bytes as u64).to_le_bytes());
            code.extend_from_slice(&header);
        }
        code
    }

    #[test]
    fn machine_code_tells_the_bytes() {
        let attributes = [4, 0x17, 2, 0, 9, 9, 3, 0x1b, 0xff, 0, 3, 0x19, 0x2c, 1];
        let code = machine_code(&attributes);
        assert_eq!(parameters_of(&code, "k"), Some(Told::Bytes(0x12c)));
        assert_eq!(parameters_of(&code, "k2"), None);
        assert_eq!(parameters_of(&machine_code(&attributes[..10]), "k"), None);
    }

    #[test]
    fn ptx_tells_how_many() {
        let text = ".visible .entry k(\n\t.param .u64 k_param_0,\n\t.param .u32 k_param_1\n)\n{ ld.param.u64 %rd1, [k_param_0]; }";
        assert_eq!(parameters_of(text.as_bytes(), "k"), Some(Told::Count(2)));
        assert_eq!(parameters_of(text.as_bytes(), "j"), None);
    }

    #[test]
    fn no_bytes_make_it_fail() {
        let code = machine_code(&[4, 0x17, 2, 0, 9, 9, 3, 0x19, 8, 0]);
        for at in 0..code.len() {
            for byte in [0, 1, 0x7f, 0xff] {
                let mut wrong = code.clone();
                wrong[at] = byte;
                let _ = parameters_of(&wrong, "k");
                let _ = parameters_of(&wrong[..at], "k");
            }
        }
    }
}
