//! `ldmatrix` and `stmatrix`: 8 by 8 matrices of 16-bit elements between shared memory and the registers of a warp.
//!
//! Lanes 8i to 8i+7 give the row addresses of matrix i. Lane 4r+c holds elements 2c and 2c+1 of row r, or of column r
//! when transposed.

use super::memory::misaligned;
use super::{Flow, Machine, Step, space_of};
use crate::fault::Fault;
use crate::lanes::Lanes;
use crate::program::Matrix;
use crate::shared::Actor;
use crate::warp::Warp;
use crate::wavefronts::Way;
use tk_diag::DATA_RACE;

impl Machine<'_> {
    pub(super) fn matrix(&mut self, warp: &mut Warp, index: usize, number: u32, active: u32) -> Step {
        if !self.gather(warp, index, warp.alive) {
            return Ok(Flow::Select);
        }
        let matrix = &self.env.program.matrices[number as usize];
        if active != u32::MAX {
            return Err(super::not_all(warp, active, "matrix instruction, which needs 32"));
        }
        let addresses = warp.reg(matrix.base).map(|a| space_of(a.wrapping_add(matrix.offset as u64)).1 & 0xFFFF_FFFF);
        for (i, slot) in matrix.regs.iter().enumerate() {
            let rows = &addresses[8 * i..8 * i + 8];
            if let Some(row) = rows.iter().position(|a| a % 16 != 0) {
                return Err(misaligned(rows[row], 16, "matrix row").lane(8 * i + row));
            }
            self.counters.shared(matrix.site, Way::Store, (&addresses, 0xFF << (8 * i)), 16);
            if matrix.store {
                self.store_matrix(warp, matrix, rows, *slot)?;
            } else {
                let values = self.load_matrix(warp, matrix, rows)?;
                warp.set_reg(*slot, &values, active);
                if !self.block.shared.is_defined() {
                    self.matrix_undefined(warp, matrix.transposed, rows, *slot);
                }
            }
        }
        if matrix.store {
            self.rows_are_apart(warp, matrix, &addresses)?;
        }
        Ok(Flow::Next)
    }

    /// Rows that an instruction stores to one place must hold the same, since nothing orders them.
    fn rows_are_apart(&self, warp: &Warp, matrix: &Matrix, addresses: &Lanes) -> Result<(), Box<Fault>> {
        let rows = &addresses[..8 * matrix.regs.len()];
        let Some(twice) = (1..rows.len()).find(|row| rows[..*row].contains(&rows[*row])) else { return Ok(()) };
        for (rows, slot) in rows.chunks(8).zip(&matrix.regs) {
            for lane in 0..32 {
                let (major, minor) = (lane / 4, lane % 4);
                let held = match matrix.transposed {
                    true => {
                        let half = |row: usize| self.block.shared.peek(rows[row] + 2 * major as u64, 2);
                        half(2 * minor + 1) << 16 | half(2 * minor)
                    }
                    false => self.block.shared.peek(rows[major] + 4 * minor as u64, 4),
                };
                if held != warp.reg(*slot)[lane] & 0xFFFF_FFFF {
                    let message = "a matrix write stores different rows to the same shared memory";
                    return Err(Fault::new(DATA_RACE, message).lane(twice).help("give each row an address of its own"));
                }
            }
        }
        Ok(())
    }

    fn load_matrix(&mut self, warp: &Warp, matrix: &Matrix, rows: &[u64]) -> Result<Lanes, Box<Fault>> {
        let mut out: Lanes = [0; 32];
        for (lane, out) in out.iter_mut().enumerate() {
            let actor = Actor { warp: warp.number, lane: lane as u32 };
            let (major, minor) = (lane / 4, lane % 4);
            let mut read = |address: u64, size: u32| {
                let value = self.block.shared.load(address, size, actor, false);
                value.map_err(|wrong| self.shared_fault(wrong, address, size, "matrix read").lane(lane))
            };
            *out = if matrix.transposed {
                let low = read(rows[2 * minor] + 2 * major as u64, 2)?;
                read(rows[2 * minor + 1] + 2 * major as u64, 2)? << 16 | low
            } else {
                read(rows[major] + 4 * minor as u64, 4)?
            };
        }
        Ok(out)
    }

    /// Says what of a matrix that was loaded into a register is undefined.
    fn matrix_undefined(&self, warp: &mut Warp, transposed: bool, rows: &[u64], slot: u32) {
        let shared = &self.block.shared;
        for lane in 0..32 {
            let (major, minor) = (lane / 4, lane % 4);
            let (bytes, source) = match transposed {
                true => {
                    let low = shared.undefined(rows[2 * minor] + 2 * major as u64, 2);
                    let high = shared.undefined(rows[2 * minor + 1] + 2 * major as u64, 2);
                    (high.0 << 2 | low.0, if low.0 != 0 { low.1 } else { high.1 })
                }
                false => shared.undefined(rows[major] + 4 * minor as u64, 4),
            };
            warp.undefined.set(slot, lane, bytes, source);
        }
    }

    fn store_matrix(&mut self, warp: &Warp, matrix: &Matrix, rows: &[u64], slot: u32) -> Result<(), Box<Fault>> {
        for lane in 0..32 {
            let actor = Actor { warp: warp.number, lane: lane as u32 };
            let (major, minor) = (lane / 4, lane % 4);
            let (value, undefined) = (warp.reg(slot)[lane], warp.undefined.bytes(slot, lane));
            // So many bytes of the register, from byte `from` on.
            let mut write = |address: u64, size: u32, from: u32| -> Result<(), Box<Fault>> {
                let stored = self.block.shared.store(address, size, value >> (8 * from), actor, false);
                stored.map_err(|wrong| self.shared_fault(wrong, address, size, "matrix write").lane(lane))?;
                if undefined != 0 {
                    let source = warp.undefined.source(slot, lane);
                    self.block.shared.set_undefined(address, size, undefined >> from, source);
                }
                Ok(())
            };
            if matrix.transposed {
                write(rows[2 * minor] + 2 * major as u64, 2, 0)?;
                write(rows[2 * minor + 1] + 2 * major as u64, 2, 2)?;
            } else {
                write(rows[major] + 4 * minor as u64, 4, 0)?;
            }
        }
        Ok(())
    }
}
