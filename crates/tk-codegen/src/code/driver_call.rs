//! Calls of the two functions that the GPU's driver provides: `__assertfail` and `vprintf`.

use super::flow::refused;
use super::reg::{Reg, Space, Ty};
use super::{Code, bug};
use inkwell::AddressSpace;
use inkwell::values::{BasicValueEnum, PointerValue, UnnamedAddress};
use tk_diag::Result;

impl<'l> Code<'l> {
    /// The address of a constant text that ends in a zero byte.
    fn text(&mut self, text: &str) -> Result<Reg> {
        let key = format!("text {text}");
        let number = self.intern(&key);
        let name = format!("text_{number}");
        let global = match self.module.get_global(&name) {
            Some(global) => global,
            None => {
                let value = self.context.const_string(text.as_bytes(), true);
                let global = self.module.add_global(value.get_type(), Some(AddressSpace::from(1)), &name);
                global.set_initializer(&value);
                global.set_constant(true);
                global.set_unnamed_address(UnnamedAddress::Global);
                global.set_linkage(inkwell::module::Linkage::Private);
                global
            }
        };
        let generic = self.context.ptr_type(AddressSpace::from(0));
        let address = self.builder.build_address_space_cast(global.as_pointer_value(), generic, "").map_err(refused)?;
        Ok(self.leaf(address.into(), Ty::Ptr(Space::Generic), 0))
    }

    /// Stops the kernel with a message about a place of the source.
    pub(crate) fn assert_failed(&mut self, message: &str, place: (&str, u32), function: &str) -> Result<()> {
        let (message, file, function) = (self.text(message)?, self.text(place.0)?, self.text(function)?);
        let (line, size) = (self.i32(place.1.into()), self.int(Ty::I64, 1));
        self.effect("__assertfail", None, &[message, file, line, function, size])?;
        Ok(())
    }

    /// Prints as C's `printf`; integers of 32 or 64 bits, doubles and pointers.
    pub(crate) fn print(&mut self, format: &str, arguments: &[Reg]) -> Result<()> {
        let format = self.text(format)?;
        let types: Vec<_> = arguments.iter().map(|argument| self.llvm_type(argument.ty())).collect();
        let buffer_type = self.context.struct_type(&types, false);
        let buffer = self.local_variable(buffer_type)?;
        for (index, argument) in arguments.iter().enumerate() {
            let value = self.value(*argument)?;
            let field = self.builder.build_struct_gep(buffer_type, buffer, index as u32, "").map_err(refused)?;
            self.builder.build_store(field, value).map_err(refused)?;
        }
        let buffer = self.leaf(buffer.into(), Ty::Ptr(Space::Generic), 0);
        self.effect("vprintf", Some(Ty::I32), &[format, buffer])?;
        Ok(())
    }

    /// Local memory of the function; reserved in its first block, where it costs nothing.
    fn local_variable(&mut self, ty: inkwell::types::StructType<'l>) -> Result<PointerValue<'l>> {
        let first = self.function.get_first_basic_block().ok_or_else(|| bug("the function has no block"))?;
        match first.get_first_instruction() {
            Some(instruction) => self.builder.position_before(&instruction),
            None => self.builder.position_at_end(first),
        }
        let variable = self.builder.build_alloca(ty, "").map_err(refused);
        let here = self.scopes[self.scopes.len() - 1].block;
        self.builder.position_at_end(here);
        let variable: BasicValueEnum<'l> = variable?.into();
        Ok(variable.into_pointer_value())
    }
}
