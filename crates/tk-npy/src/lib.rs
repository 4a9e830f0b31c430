//! Arrays in files of numpy: their element type, shape and bytes, in C order.

use std::io::{BufReader, ErrorKind, Read, Write};
use std::path::Path;
use tk_diag::{Diagnostic, FILE};
use tk_types::ScalarType::{self, *};

/// What a file holds.
pub struct NpyArray {
    /// Of its elements.
    pub ty: ScalarType,
    /// Elements along each axis.
    pub shape: Vec<u64>,
    /// Its elements in C order.
    pub bytes: Vec<u8>,
}

/// The types that numpy has, with their names in little-endian files.
const NAMES: [(ScalarType, &str); 12] = [
    (I1, "|b1"),
    (I8, "|i1"),
    (U8, "|u1"),
    (I16, "<i2"),
    (U16, "<u2"),
    (I32, "<i4"),
    (U32, "<u4"),
    (I64, "<i8"),
    (U64, "<u8"),
    (F16, "<f2"),
    (F32, "<f4"),
    (F64, "<f8"),
];

fn wrong(path: &Path, why: impl std::fmt::Display) -> Box<Diagnostic> {
    Diagnostic::error(FILE, format!("{}: {why}", path.display())).boxed()
}

/// Reads an array of at most so many bytes.
pub fn read(path: &Path, most: u64) -> Result<NpyArray, Box<Diagnostic>> {
    let file = std::fs::File::open(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => wrong(path, "there is no such file"),
        _ => wrong(path, error),
    })?;
    let mut reader = BufReader::new(file);
    let text = header(&mut reader).map_err(|why| wrong(path, why))?;
    let Header { element, is_fortran, shape } = Header::parse(&text)
        .ok_or_else(|| wrong(path, format!("numpy would not write the header {}", shown(&text))))?;
    let Some(name) = element else {
        return Err(wrong(path, "an array of records").help("save each field as an array of its own").boxed());
    };
    let Some((ty, _)) = NAMES.iter().find(|(_, known)| *known == name) else {
        let help =
            "numbers in little-endian order are read; give others as integers of their width, such as u16 for bf16";
        return Err(wrong(path, format!("an array of `{name}`")).help(help).boxed());
    };
    if is_fortran && shape.len() > 1 {
        return Err(wrong(path, "an array in Fortran order").help("save `numpy.ascontiguousarray(x)`").boxed());
    }
    let count = shape.iter().try_fold(1u64, |count, size| count.checked_mul(*size));
    let size = count.and_then(|count| count.checked_mul(u64::from(ty.bytes()))).filter(|size| *size <= most);
    let Some(size) = size else {
        return Err(wrong(path, format!("more than {most} bytes")));
    };
    let mut bytes = Vec::new();
    reader.take(size).read_to_end(&mut bytes).map_err(|error| wrong(path, error))?;
    if bytes.len() as u64 != size {
        return Err(wrong(path, format!("{} of {size} bytes are there", bytes.len())));
    }
    Ok(NpyArray { ty: *ty, shape, bytes })
}

/// The text between the first bytes of a file and its elements.
fn header(reader: &mut impl Read) -> Result<String, String> {
    let mut fill = |bytes: &mut [u8]| {
        reader.read_exact(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => "the file ends in its header".to_string(),
            _ => error.to_string(),
        })
    };
    let mut start = [0; 8];
    fill(&mut start).map_err(|why| if start[0] == MAGIC[0] { why } else { NO_ARRAY.to_string() })?;
    if start[..6] != *MAGIC {
        return Err(NO_ARRAY.to_string());
    }
    let mut length = [0; 4];
    match start[6] {
        1 => fill(&mut length[..2])?,
        2 | 3 => fill(&mut length)?,
        version => return Err(format!("version {version} of numpy's files is not known")),
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > MOST_HEADER {
        return Err(format!("its header has {length} bytes, more than are read ({MOST_HEADER})"));
    }
    let mut text = vec![0; length];
    fill(&mut text)?;
    String::from_utf8(text).map_err(|_| "its header is no text".to_string())
}

/// Every file of an array begins so.
const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// numpy itself reads no header of more than 10,000 bytes.
const MOST_HEADER: usize = 1 << 16;
/// What a file is that does not.
const NO_ARRAY: &str = "this is no array of numpy (`numpy.save` writes one)";

/// The first part of a header, for a message.
fn shown(text: &str) -> String {
    let first: String = text.trim().chars().take(80).collect();
    format!("`{first}{}`", if first.len() < text.trim().len() { "…" } else { "" })
}

/// What a header says: a dict of three keys in any order.
struct Header<'t> {
    /// The name of the element type; nothing for records.
    element: Option<&'t str>,
    is_fortran: bool,
    shape: Vec<u64>,
}

impl<'t> Header<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let mut rest = text.trim().strip_prefix('{')?.trim_start();
        let (mut element, mut is_fortran, mut shape) = (None, None, None);
        while !rest.starts_with('}') {
            let (key, value) = quoted(rest)?;
            let value = value.trim_start().strip_prefix(':')?.trim_start();
            rest = match key {
                "descr" => {
                    // The fields of a record are a list, and what follows is of no use then.
                    if value.starts_with('[') {
                        return Some(Self { element: None, is_fortran: false, shape: Vec::new() });
                    }
                    let (name, rest) = quoted(value)?;
                    element = Some(name);
                    rest
                }
                "fortran_order" => {
                    let (is, rest) =
                        ["True", "False"].iter().find_map(|word| Some((*word == "True", value.strip_prefix(word)?)))?;
                    is_fortran = Some(is);
                    rest
                }
                "shape" => {
                    let (sizes, rest) = value.strip_prefix('(')?.split_once(')')?;
                    let sizes = sizes.split(',').map(str::trim).filter(|size| !size.is_empty());
                    // Python 2 wrote long integers with an `L`.
                    shape = Some(sizes.map(|size| size.trim_end_matches('L').parse().ok()).collect::<Option<_>>()?);
                    rest
                }
                _ => return None,
            };
            rest = rest.trim_start();
            rest = match rest.strip_prefix(',') {
                Some(rest) => rest.trim_start(),
                None if rest.starts_with('}') => rest,
                None => return None,
            };
        }
        Some(Self { element: Some(element?), is_fortran: is_fortran?, shape: shape? })
    }
}

/// The string at the front, and what follows it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    text[1..].split_once(quote)
}

/// Writes an array. Types that numpy has not are written as unsigned integers of their width.
pub fn write(path: &Path, ty: ScalarType, shape: &[u64], bytes: &[u8]) -> Result<(), Box<Diagnostic>> {
    let unsigned = match ty.bytes() {
        1 => "|u1",
        2 => "<u2",
        4 => "<u4",
        _ => "<u8",
    };
    let name = NAMES.iter().find(|(known, _)| *known == ty).map_or(unsigned, |(_, name)| name);
    let sizes: String = shape.iter().map(|size| format!("{size}, ")).collect();
    let header = format!("{{'descr': '{name}', 'fortran_order': False, 'shape': ({sizes}), }}");
    // Magic, version and length take 10 bytes, and the whole is a multiple of 64 with a newline at its end.
    let padded = (10 + header.len() + 1).next_multiple_of(64) - 11;
    let length = (padded + 1) as u16;
    let mut file = std::fs::File::create(path).map_err(|error| wrong(path, error))?;
    let mut put = |part: &[u8]| file.write_all(part).map_err(|error| wrong(path, error));
    put(MAGIC)?;
    put(&[1, 0])?;
    put(&length.to_le_bytes())?;
    put(format!("{header:<padded$}\n").as_bytes())?;
    put(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        for (ty, shape) in [(F32, vec![2u64, 3]), (I64, vec![4]), (U8, vec![]), (F16, vec![0, 7]), (I1, vec![1, 1, 5])]
        {
            let count: u64 = shape.iter().product();
            let bytes: Vec<u8> = (0..count * u64::from(ty.bytes())).map(|i| (i % 2) as u8).collect();
            write(&path, ty, &shape, &bytes).unwrap();
            assert_eq!(std::fs::metadata(&path).unwrap().len() % 64, bytes.len() as u64 % 64);
            let back = read(&path, 1 << 20).unwrap();
            assert_eq!((back.ty, back.shape, back.bytes), (ty, shape, bytes));
        }
        write(&path, BF16, &[2], &[1, 2, 3, 4]).unwrap();
        assert_eq!(read(&path, 100).unwrap().ty, U16);
        let error = read(&path, 3).err().unwrap();
        assert!(error.message.contains("more than 3 bytes"), "{error:?}");
        let whole = std::fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            assert!(read(&path, 100).is_err(), "{cut}");
        }
    }

    /// A file with this header, without elements.
    fn refusal(header: &[u8], length: u32) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        std::fs::write(&path, [&MAGIC[..], &[2, 0], &length.to_le_bytes(), header].concat()).unwrap();
        read(&path, 1 << 20).err().unwrap().message.split_once(": ").unwrap().1.to_string()
    }

    #[test]
    fn hostile_headers_are_refused() {
        let all = |header: &str| refusal(header.as_bytes(), header.len() as u32);
        let of_shape = |shape: &str| all(&format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"));
        assert_eq!(of_shape("(4294967296, 4294967296, 4)"), "more than 1048576 bytes");
        assert_eq!(of_shape("(3,)"), "0 of 12 bytes are there");
        for shape in ["(-4,)", "4", "(1.5,)", "()) ", "(99999999999999999999,)"] {
            assert!(of_shape(shape).starts_with("numpy would not write the header `{'descr'"), "{shape}");
        }
        for nested in ["(", "[(", "{'descr': "] {
            let told = all(&nested.repeat(10_000));
            assert!(told.len() < 200, "{told}");
        }
        assert_eq!(refusal(b"{", u32::MAX), "its header has 4294967295 bytes, more than are read (65536)");
        assert_eq!(refusal(b"{", 100), "the file ends in its header");
        assert_eq!(refusal(b"\xff", 1), "its header is no text");
        assert_eq!(all("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }"), "an array of records");
        assert_eq!(all("{\"shape\": (), \"fortran_order\": True, \"descr\": \"|i1\"}"), "0 of 1 bytes are there");
        assert_eq!(all("{'shape': (2L,), 'fortran_order': False, 'descr': '|i1'}"), "0 of 2 bytes are there");
    }

    #[test]
    fn other_files_are_no_arrays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        for bytes in [&b""[..], b"PK\x03\x04", b"\x89PNG\r\n\x1a\n and more"] {
            std::fs::write(&path, bytes).unwrap();
            assert!(read(&path, 100).err().unwrap().message.contains("no array of numpy"));
        }
        assert!(read(&folder.path().join("y.npy"), 100).err().unwrap().message.contains("there is no such file"));
    }
}
