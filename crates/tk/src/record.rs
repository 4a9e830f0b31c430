//! What a session remembers of its launches, for the lines `tk run` prints.

use std::sync::Arc;
use tk_host::Settings;
use tk_launch::LaunchReport;
use tk_types::KernelImage;

/// One launch.
#[derive(Debug)]
pub struct LaunchRecord {
    /// The kernel's name.
    pub kernel: String,
    /// Its signature, as `--signature` takes it.
    pub signature: String,
    /// Programs along each axis.
    pub grid: [u32; 3],
    /// What it uses; the text of the code is left out.
    pub image: Arc<KernelImage>,
    /// The configuration of `@triton.autotune` that was used: names and values.
    pub configuration: Option<Settings>,
    /// What the device said.
    pub report: LaunchReport,
}

impl LaunchRecord {
    /// One line: warps, registers and spills where known, shared memory, instructions.
    pub fn resource_line(&self) -> String {
        let image = &self.image;
        let registers = match (self.report.registers, self.report.spill_bytes) {
            (Some(registers), Some(0)) => format!("{registers} registers, no spills"),
            (Some(registers), Some(spills)) => format!("{registers} registers, {spills} bytes of spills"),
            (Some(registers), None) => format!("{registers} registers"),
            (None, _) => "registers unknown without ptxas or a GPU".into(),
        };
        let configuration = match self.configuration_text() {
            Some(text) => format!(", configuration {text}"),
            None => String::new(),
        };
        format!(
            "{}: grid {}x{}x{}, {} warps, {registers}, {} bytes of shared memory, {} PTX instructions ({}){configuration}",
            self.kernel,
            self.grid[0],
            self.grid[1],
            self.grid[2],
            image.num_warps,
            image.shared_bytes,
            image.resources.instructions,
            image.target
        )
    }

    /// The configuration of `@triton.autotune` as `BLOCK=64 num_warps=4 …`.
    pub fn configuration_text(&self) -> Option<String> {
        let settings = self.configuration.as_ref()?;
        Some(settings.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" "))
    }
}
