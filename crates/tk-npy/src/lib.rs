//! Arrays in files of numpy: their element type, shape and bytes, in C order.

use npyz::{DType, NpyHeader, Order};
use std::io::{BufReader, Read, Write};
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
    let file = std::fs::File::open(path).map_err(|error| wrong(path, error))?;
    let mut reader = BufReader::new(file);
    let header = NpyHeader::from_reader(&mut reader).map_err(|error| wrong(path, error))?;
    let DType::Plain(name) = header.dtype() else {
        return Err(wrong(path, "an array of records").help("save each field as an array of its own").boxed());
    };
    let name = name.to_string();
    let Some((ty, _)) = NAMES.iter().find(|(_, known)| *known == name) else {
        let help =
            "numbers in little-endian order are read; give others as integers of their width, such as u16 for bf16";
        return Err(wrong(path, format!("an array of `{name}`")).help(help).boxed());
    };
    let shape = header.shape().to_vec();
    if header.order() != Order::C && shape.len() > 1 {
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
    put(b"\x93NUMPY\x01\x00")?;
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
}
