//! Global memory of the simulated device.
//!
//! Every allocation stands alone behind a gap of at least its own size plus a mebibyte, so that a wrong index lands in no
//! other buffer. Bytes live in atomic words, because CTAs run on several cores at once: a racing kernel gives some result, never
//! undefined behavior of the simulator. Plain accesses are relaxed; 64-bit accesses are two words, and 64-bit atomics take a
//! lock, so a racing plain 64-bit access may see half of one.

use crate::zeroed_unsafe;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};
use tk_diag::{BAD_LAUNCH, Diagnostic, Result};

/// Address of the first allocation.
const FIRST_ADDRESS: u64 = 0x7000_0000_0000;
/// Alignment of allocations, as cudaMalloc gives.
const ALIGNMENT: u64 = 256;
/// Smallest gap between allocations.
const GAP: u64 = 1 << 20;
/// Largest allocation.
const MAX_BYTES: u64 = 1 << 38;
const LOCKS: usize = 64;
/// What memory holds that nothing wrote.
const FRESH: u32 = 0xCDCD_CDCD;

/// An allocation of a [`DeviceMemory`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Buffer {
    address: u64,
    bytes: u64,
}

impl Buffer {
    /// Address on the device, a multiple of 256.
    pub fn address(self) -> u64 {
        self.address
    }

    /// Size in bytes.
    pub fn bytes(self) -> u64 {
        self.bytes
    }
}

/// Global memory: allocations, their bytes, and which bytes were ever written.
#[derive(Default)]
pub struct DeviceMemory {
    /// Sorted by address.
    pub(crate) allocations: Vec<Allocation>,
    next: u64,
}

impl DeviceMemory {
    /// Memory without allocations.
    pub fn new() -> Self {
        Self { allocations: Vec::new(), next: FIRST_ADDRESS }
    }

    /// A new buffer of uninitialised bytes; reading it before something writes it stops a kernel.
    pub fn allocate(&mut self, bytes: u64) -> Buffer {
        self.allocate_named(bytes, "")
    }

    /// A new buffer with the name that error messages use for it.
    pub fn allocate_named(&mut self, bytes: u64, name: &str) -> Buffer {
        let bytes = bytes.min(MAX_BYTES);
        let address = self.next.max(FIRST_ADDRESS);
        self.next = (address + bytes + bytes + GAP).next_multiple_of(ALIGNMENT);
        self.allocations.push(Allocation::new(address, bytes, name));
        Buffer { address, bytes }
    }

    /// Frees a buffer; false when it was freed before.
    pub fn free(&mut self, buffer: Buffer) -> bool {
        let index = self.allocations.iter().position(|a| a.base == buffer.address);
        index.map(|index| self.allocations.remove(index)).is_some()
    }

    /// Sets the name that error messages use for a buffer.
    pub fn set_name(&mut self, buffer: Buffer, name: &str) {
        if let Some(allocation) = self.allocations.iter_mut().find(|a| a.base == buffer.address) {
            allocation.name = name.to_string();
        }
    }

    /// Sets how many bytes an element of a buffer has, for messages.
    pub fn set_element_bytes(&mut self, buffer: Buffer, bytes: u32) {
        if let Some(allocation) = self.allocations.iter_mut().find(|a| a.base == buffer.address) {
            allocation.element_bytes = bytes;
        }
    }

    /// Copies `bytes` to the start of a buffer. An error when they do not fit or the buffer is gone.
    pub fn write(&mut self, buffer: Buffer, bytes: &[u8]) -> Result<()> {
        self.write_at(buffer, 0, bytes)
    }

    /// Copies `bytes` to an offset in a buffer.
    pub fn write_at(&mut self, buffer: Buffer, offset: u64, bytes: &[u8]) -> Result<()> {
        let allocation = self.checked(buffer, offset, bytes.len() as u64)?;
        allocation.write(offset, bytes);
        Ok(())
    }

    /// All bytes of a buffer; those never written read as they were allocated: 0xCD.
    pub fn read(&self, buffer: Buffer) -> Result<Vec<u8>> {
        self.read_at(buffer, 0, buffer.bytes)
    }

    /// Bytes of a buffer from an offset.
    pub fn read_at(&self, buffer: Buffer, offset: u64, bytes: u64) -> Result<Vec<u8>> {
        Ok(self.checked(buffer, offset, bytes)?.read(offset, bytes))
    }

    /// Declares every byte of a buffer written, whatever it holds.
    pub fn assume_written(&mut self, buffer: Buffer) -> Result<()> {
        self.checked(buffer, 0, 0)?.full.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Declares bytes of a buffer unwritten, whatever they hold.
    pub fn forget(&mut self, buffer: Buffer, bytes: Range<u64>) -> Result<()> {
        self.checked(buffer, bytes.start, bytes.end.saturating_sub(bytes.start))?.forget(bytes);
        Ok(())
    }

    /// The ranges of bytes of a buffer that nothing has written, in order.
    pub fn unwritten(&self, buffer: Buffer) -> Result<Vec<Range<u64>>> {
        Ok(self.checked(buffer, 0, 0)?.holes())
    }

    fn checked(&self, buffer: Buffer, offset: u64, bytes: u64) -> Result<&Allocation> {
        let allocation = self.allocations.iter().find(|a| a.base == buffer.address && a.bytes == buffer.bytes);
        let Some(allocation) = allocation else {
            return Err(Diagnostic::error(BAD_LAUNCH, "this buffer was freed, or belongs to another device").boxed());
        };
        if offset.checked_add(bytes).is_none_or(|end| end > buffer.bytes) {
            let message = format!("{bytes} bytes at offset {offset} do not fit a buffer of {} bytes", buffer.bytes);
            return Err(Diagnostic::error(BAD_LAUNCH, message).boxed());
        }
        Ok(allocation)
    }

    /// The allocation that holds an address.
    #[inline]
    pub(crate) fn find(&self, address: u64) -> Option<&Allocation> {
        let index = self.allocations.partition_point(|a| a.base <= address).checked_sub(1)?;
        let allocation = &self.allocations[index];
        (address - allocation.base < allocation.bytes).then_some(allocation)
    }

    /// What addresses hold, to be restored; nothing where no buffer is. Buffers lie so far apart that one alone can be among a page.
    pub(crate) fn save(&self, addresses: Range<u64>) -> Option<Saved> {
        let index = self.allocations.partition_point(|a| a.base < addresses.end).checked_sub(1)?;
        let allocation = &self.allocations[index];
        let first = addresses.start.saturating_sub(allocation.base) as usize / 4;
        let last = ((addresses.end - allocation.base).div_ceil(4) as usize).min(allocation.words.len());
        (first < last).then(|| Saved {
            base: allocation.base,
            first,
            words: allocation.words[first..last].iter().map(|word| word.load(Ordering::Relaxed)).collect(),
            written: allocation.written[first..last].iter().map(|word| word.load(Ordering::Relaxed)).collect(),
        })
    }

    /// Writes back what was saved.
    pub(crate) fn restore(&self, saved: &Saved) {
        let Some(allocation) = self.find(saved.base) else { return };
        for (at, (word, written)) in saved.words.iter().zip(&saved.written).enumerate() {
            allocation.words[saved.first + at].store(*word, Ordering::Relaxed);
            allocation.written[saved.first + at].store(*written, Ordering::Relaxed);
        }
    }

    /// The allocation nearest to an address, and the signed distance from its start.
    pub(crate) fn nearest(&self, address: u64) -> Option<(&Allocation, i128)> {
        let distance = |a: &Allocation| {
            let (start, end) = (i128::from(a.base), i128::from(a.base + a.bytes));
            let at = i128::from(address);
            if at < start { start - at } else { (at - end).max(0) }
        };
        let allocation = self.allocations.iter().min_by_key(|a| distance(a))?;
        Some((allocation, i128::from(address) - i128::from(allocation.base)))
    }
}

/// Words of a buffer as they were.
pub(crate) struct Saved {
    /// Where the buffer begins.
    base: u64,
    /// The first of the words.
    first: usize,
    words: Box<[u32]>,
    /// Which of their bytes were written.
    written: Box<[u8]>,
}

/// One allocation.
pub(crate) struct Allocation {
    pub(crate) base: u64,
    pub(crate) bytes: u64,
    pub(crate) name: String,
    /// Bytes of an element, for messages; 0 when unknown.
    pub(crate) element_bytes: u32,
    /// Words, each with the bits of [`FRESH`] turned over, so that fresh memory is zero and untouched memory costs nothing.
    words: Box<[AtomicU32]>,
    /// Four bits per word: which of its bytes were written.
    written: Box<[AtomicU8]>,
    /// Every byte counts as written.
    full: AtomicBool,
    locks: Box<[Mutex<()>]>,
}

impl Allocation {
    fn new(base: u64, bytes: u64, name: &str) -> Self {
        let words = bytes.div_ceil(4) as usize;
        Self {
            base,
            bytes,
            name: name.to_string(),
            element_bytes: 0,
            words: zeroed_unsafe::words(words),
            written: zeroed_unsafe::bytes(words),
            full: AtomicBool::new(false),
            locks: (0..LOCKS).map(|_| Mutex::new(())).collect(),
        }
    }

    #[inline]
    fn word(&self, index: usize) -> u32 {
        self.words[index].load(Ordering::Relaxed) ^ FRESH
    }

    #[inline]
    fn set_word(&self, index: usize, word: u32) {
        self.words[index].store(word ^ FRESH, Ordering::Relaxed);
    }

    /// Which element of an argument an address is, in elements of so many bytes unless the buffer has its own.
    pub(crate) fn place(&self, address: u64, bytes: u32) -> String {
        let offset = address - self.base;
        let bytes = if self.element_bytes > 0 { self.element_bytes } else { bytes };
        let element = offset / u64::from(bytes.max(1));
        match self.name.as_str() {
            "" => format!("byte {offset} of the buffer at {:#x}", self.base),
            name => format!("element {element} of `{name}` (byte {offset} of {})", self.bytes),
        }
    }

    fn write(&self, offset: u64, bytes: &[u8]) {
        let mut at = offset;
        let mut rest = bytes;
        while !rest.is_empty() {
            if at.is_multiple_of(4) && rest.len() >= 4 {
                let word = u32::from_le_bytes([rest[0], rest[1], rest[2], rest[3]]);
                self.set_word((at / 4) as usize, word);
                self.written[(at / 4) as usize].store(0xF, Ordering::Relaxed);
                (at, rest) = (at + 4, &rest[4..]);
            } else {
                self.store(at, 1, u64::from(rest[0]));
                self.mark(at, 1);
                (at, rest) = (at + 1, &rest[1..]);
            }
        }
        if offset == 0 && bytes.len() as u64 == self.bytes {
            self.full.store(true, Ordering::Relaxed);
        }
    }

    fn read(&self, offset: u64, bytes: u64) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes as usize + 8);
        let end = offset + bytes;
        let mut at = offset & !3;
        while at < end {
            out.extend_from_slice(&self.word((at / 4) as usize).to_le_bytes());
            at += 4;
        }
        out.drain(..(offset & 3) as usize);
        out.truncate(bytes as usize);
        out
    }

    /// `size` bytes (1, 2, 4 or 8) from an offset that is a multiple of `size` and inside the allocation.
    #[inline]
    pub(crate) fn load(&self, offset: u64, size: u32) -> u64 {
        let index = (offset / 4) as usize;
        let word = self.word(index);
        match size {
            4 => u64::from(word),
            8 => u64::from(self.word(index + 1)) << 32 | u64::from(word),
            2 => u64::from(word >> (8 * (offset & 2)) & 0xFFFF),
            _ => u64::from(word >> (8 * (offset & 3)) & 0xFF),
        }
    }

    /// Stores the low `size` bytes.
    #[inline]
    pub(crate) fn store(&self, offset: u64, size: u32, value: u64) {
        let index = (offset / 4) as usize;
        match size {
            4 => self.set_word(index, value as u32),
            8 => {
                self.set_word(index, value as u32);
                self.set_word(index + 1, (value >> 32) as u32);
            }
            _ => {
                let shift = 8 * (offset & 3) as u32;
                let mask = (if size == 2 { 0xFFFF } else { 0xFFu32 }) << shift;
                let bits = (value as u32) << shift & mask;
                // Another CTA may write the other bytes of this word at the same time.
                let step = |word: u32| Some(((word ^ FRESH) & !mask | bits) ^ FRESH);
                let _ = self.words[index].fetch_update(Ordering::Relaxed, Ordering::Relaxed, step);
            }
        }
    }

    /// Applies `f` to `size` bytes as one step and gives the value before.
    pub(crate) fn update(&self, offset: u64, size: u32, f: impl Fn(u64) -> u64) -> u64 {
        let index = (offset / 4) as usize;
        if size == 8 {
            let _lock = self.locks[index % LOCKS].lock();
            let old = self.load(offset, 8);
            self.store(offset, 8, f(old));
            return old;
        }
        let shift = 8 * (offset & 3) as u32;
        let mask = if size == 4 { u32::MAX } else { 0xFFFF << shift };
        let step = |word: u32| {
            let word = word ^ FRESH;
            let new = (f(u64::from((word & mask) >> shift)) as u32) << shift & mask;
            Some((word & !mask | new) ^ FRESH)
        };
        let old = self.words[index].fetch_update(Ordering::AcqRel, Ordering::Acquire, step);
        u64::from(((old.unwrap_or(0) ^ FRESH) & mask) >> shift)
    }

    /// All `size` bytes were written.
    #[inline]
    pub(crate) fn is_written(&self, offset: u64, size: u32) -> bool {
        if self.full.load(Ordering::Relaxed) {
            return true;
        }
        let index = (offset / 4) as usize;
        let word = |index: usize| self.written[index].load(Ordering::Relaxed);
        match size {
            4 => word(index) == 0xF,
            8 => word(index) == 0xF && word(index + 1) == 0xF,
            _ => {
                let mask = ((1u8 << size) - 1) << (offset & 3);
                word(index) & mask == mask
            }
        }
    }

    /// Whether all of some whole words was written.
    pub(crate) fn are_written(&self, offset: u64, words: usize) -> bool {
        let first = (offset / 4) as usize;
        self.full.load(Ordering::Relaxed)
            || self.written[first..first + words].iter().all(|word| word.load(Ordering::Relaxed) == 0xF)
    }

    /// Reads whole words.
    pub(crate) fn read_words(&self, offset: u64, out: &mut [[u8; 4]]) {
        let first = (offset / 4) as usize;
        for (out, word) in out.iter_mut().zip(&self.words[first..]) {
            *out = (word.load(Ordering::Relaxed) ^ FRESH).to_le_bytes();
        }
    }

    fn forget(&self, bytes: Range<u64>) {
        if self.full.swap(false, Ordering::Relaxed) {
            self.written.iter().for_each(|word| word.store(0xF, Ordering::Relaxed));
        }
        let mut at = bytes.start;
        while at < bytes.end {
            let word = &self.written[(at / 4) as usize];
            if at.is_multiple_of(4) && at + 4 <= bytes.end {
                word.store(0, Ordering::Relaxed);
                at += 4;
            } else {
                word.fetch_and(!(1 << (at & 3)), Ordering::Relaxed);
                at += 1;
            }
        }
    }

    fn holes(&self) -> Vec<Range<u64>> {
        let mut holes: Vec<Range<u64>> = Vec::new();
        if self.full.load(Ordering::Relaxed) {
            return holes;
        }
        for (index, word) in self.written.iter().enumerate() {
            let bits = word.load(Ordering::Relaxed);
            if bits == 0xF {
                continue;
            }
            for at in (0..4).filter(|byte| bits >> byte & 1 == 0).map(|byte| 4 * index as u64 + byte) {
                match holes.last_mut() {
                    _ if at >= self.bytes => {}
                    Some(last) if last.end == at => last.end += 1,
                    _ => holes.push(at..at + 1),
                }
            }
        }
        holes
    }

    /// Which of `size` bytes nothing wrote, one bit each.
    #[cold]
    pub(crate) fn unwritten(&self, offset: u64, size: u32) -> u8 {
        let is_open = |i: &u32| !self.is_written(offset + u64::from(*i), 1);
        (0..size).filter(is_open).fold(0, |bytes, i| bytes | 1 << i)
    }

    /// Notes that `size` bytes were written.
    #[inline]
    pub(crate) fn mark(&self, offset: u64, size: u32) {
        if self.full.load(Ordering::Relaxed) {
            return;
        }
        let index = (offset / 4) as usize;
        match size {
            4 => self.written[index].store(0xF, Ordering::Relaxed),
            8 => {
                self.written[index].store(0xF, Ordering::Relaxed);
                self.written[index + 1].store(0xF, Ordering::Relaxed);
            }
            _ => {
                let mask = ((1u8 << size) - 1) << (offset & 3);
                if self.written[index].load(Ordering::Relaxed) & mask != mask {
                    self.written[index].fetch_or(mask, Ordering::Relaxed);
                }
            }
        }
    }
}
