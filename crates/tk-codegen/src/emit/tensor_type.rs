//! `TensorType`: a tensor type with its linear layout worked out, once per type.

use super::Emitter;
use crate::code::{Space, Ty, bug};
use std::rc::Rc;
use tk_diag::Result;
use tk_ir::{Type, TypeKind};
use tk_layout::{Dim, Encoding, LinearLayout};
use tk_types::ScalarType;

/// A distributed tensor type.
pub(crate) struct TensorType {
    /// Elements along each axis.
    pub(crate) shape: Vec<i64>,
    /// Type of one register.
    pub(crate) element: Ty,
    /// The layout by name.
    pub(crate) encoding: Rc<Encoding>,
    /// Register, lane, warp, block to axes.
    pub(crate) layout: LinearLayout,
    /// Registers per thread.
    pub(crate) registers: usize,
    /// Register bits that reach no further element.
    pub(crate) free_registers: u32,
    /// Lane bits that reach no further element.
    pub(crate) free_lanes: u32,
    /// Warp bits that reach no further element.
    pub(crate) free_warps: u32,
}

impl TensorType {
    /// The first register that holds the same element as register `index` does by the free bits alone.
    pub(crate) fn canonical(&self, index: usize) -> usize {
        let columns = self.layout.columns_of(Dim::Register);
        if self.free_registers == 0 {
            return index;
        }
        let image = self.layout.apply_dim(Dim::Register, index as u32);
        let kept = (0..columns.len()).filter(|bit| self.free_registers >> bit & 1 == 0);
        // The kept columns are independent, so exactly one sum of them is the image.
        let kept: Vec<usize> = kept.collect();
        let span = tk_layout::f2::Span::of(kept.iter().map(|&bit| columns[bit]));
        match span.solve(image) {
            Some(solution) => {
                kept.iter().enumerate().filter(|(at, _)| solution >> at & 1 == 1).map(|(_, bit)| 1 << bit).sum()
            }
            None => index,
        }
    }
}

impl TensorType {
    /// The registers in runs of up to `width` (a power of two) that hold neighbours along the fastest axis, in their order. Runs are
    /// shorter when a thread does not hold so many neighbours.
    pub(crate) fn runs(&self, width: usize) -> Vec<Vec<usize>> {
        let Some(axis) = self.encoding.order().first().map(|axis| Dim::Axis(*axis as u8)) else { return vec![vec![0]] };
        let columns = self.layout.columns_of(Dim::Register);
        let neighbour = |distance: u32| {
            let moves = |image: u64| {
                self.layout
                    .out_dims()
                    .all(|dim| self.layout.unpack_dim(image, dim) == if dim == axis { 1 << distance } else { 0 })
            };
            columns.iter().position(|image| moves(*image))
        };
        let inside: Vec<usize> = (0..width.ilog2()).map_while(neighbour).collect();
        let run = |start: usize| {
            let place = |at: usize| {
                inside.iter().enumerate().filter(|(bit, _)| at >> bit & 1 == 1).map(|(_, bit)| 1 << bit).sum::<usize>()
            };
            (0..1 << inside.len()).map(|at| start | place(at)).collect()
        };
        let is_start = |start: &usize| inside.iter().all(|bit| start >> bit & 1 == 0);
        (0..self.registers).filter(is_start).map(run).collect()
    }
}

impl<'c> Emitter<'c, '_> {
    /// The tensor type with its layout.
    pub(crate) fn tensor(&mut self, ty: Type<'c>) -> Result<Rc<TensorType>> {
        if let Some(known) = self.types.get(&ty) {
            return Ok(known.clone());
        }
        let encoding = ty.layout().ok_or_else(|| bug(format!("the tensor type {ty} has no layout")))?;
        let shape = ty.shape();
        let layout = encoding.to_linear(&shape).map_err(|why| bug(format!("the layout of {ty}: {why}")))?;
        let tensor = Rc::new(TensorType {
            element: self.element_ty(ty)?,
            registers: layout.in_size(Dim::Register) as usize,
            free_registers: layout.free_mask(Dim::Register),
            free_lanes: layout.free_mask(Dim::Lane),
            free_warps: layout.free_mask(Dim::Warp),
            shape,
            encoding,
            layout,
        });
        self.types.insert(ty, tensor.clone());
        Ok(tensor)
    }

    /// Registers per thread of a tensor, 1 for a scalar.
    pub(crate) fn register_count(&mut self, ty: Type<'c>) -> Result<usize> {
        if ty.is_tensor() { Ok(self.tensor(ty)?.registers) } else { Ok(1) }
    }
}

/// The machine types of the registers that hold a value of this type: what a function's parameter of it is.
pub(crate) fn machine_types(ty: Type<'_>) -> Result<Vec<Ty>> {
    let element = element_ty(ty).ok_or_else(|| bug(format!("the type {ty} has no registers")))?;
    if !ty.is_tensor() {
        return Ok(vec![element]);
    }
    let encoding = ty.encoding().ok_or_else(|| bug(format!("the tensor type {ty} has no layout")))?;
    let layout = encoding.linear_layout(&ty.shape()).map_err(|why| bug(format!("the layout of {ty}: {why}")))?;
    Ok(vec![element; layout.in_size(Dim::Register) as usize])
}

/// The machine type of a scalar or of a tensor's elements; `None` for types that are no data.
pub(crate) fn element_ty(ty: Type<'_>) -> Option<Ty> {
    let element = ty.element();
    Some(match element.kind() {
        TypeKind::Int { bits } => Ty::Int(bits),
        TypeKind::Index => Ty::I32,
        TypeKind::Ptr { .. } => Ty::Ptr(Space::Global),
        // The address of a tensor map, which may be a parameter.
        TypeKind::TensorDesc { .. } => Ty::Ptr(Space::Generic),
        TypeKind::Float(scalar) => match scalar {
            ScalarType::F16 => Ty::F16,
            ScalarType::BF16 => Ty::BF16,
            ScalarType::F32 => Ty::F32,
            ScalarType::F64 => Ty::F64,
            ScalarType::F8E4M3
            | ScalarType::F8E5M2
            | ScalarType::F8E4B15
            | ScalarType::F8E4M3B8
            | ScalarType::F8E5M2B16 => Ty::Int(8),
            ScalarType::I1 => Ty::BOOL,
            ScalarType::I8 | ScalarType::U8 => Ty::Int(8),
            ScalarType::I16 | ScalarType::U16 => Ty::Int(16),
            ScalarType::I32 | ScalarType::U32 => Ty::I32,
            ScalarType::I64 | ScalarType::U64 => Ty::I64,
        },
        TypeKind::Tensor { .. }
        | TypeKind::MemDesc(_)
        | TypeKind::Token
        | TypeKind::Function { .. }
        | TypeKind::None
        | TypeKind::Other => return None,
    })
}
