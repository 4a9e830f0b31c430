//! What a session remembers of its launches, for the lines `tk run` prints.

use std::sync::Arc;
use tk_host::Settings;
use tk_image::KernelImage;
use tk_launch::{AccessRow, LaunchReport};
use tk_target::Occupancy;
use tk_types::DotPolicy;
use tk_why::{Conflict, Measured, Place};

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
    /// Stages of its software pipelines, as they were asked for.
    pub num_stages: u32,
    /// CTAs that share a multiprocessor, where the registers are known.
    pub occupancy: Option<Occupancy>,
    /// The configuration of `@triton.autotune` that was used: names and values.
    pub configuration: Option<Settings>,
    /// What the device said.
    pub report: LaunchReport,
}

impl LaunchRecord {
    /// One line: warps, stages, registers and spills where known, shared memory with its buffers, occupancy, instructions.
    pub fn resource_line(&self) -> String {
        let image = &self.image;
        let registers = match (self.report.registers, self.report.spill_bytes) {
            (Some(registers), Some(0)) => format!("{registers} registers, no spills"),
            (Some(registers), Some(spills)) => format!("{registers} registers, {spills} bytes of spills"),
            (Some(registers), None) => format!("{registers} registers"),
            (None, _) => "registers unknown on the simulator".into(),
        };
        let occupancy = match self.occupancy {
            Some(Occupancy { ctas_per_sm, warps_per_sm, .. }) => {
                format!(", {ctas_per_sm} CTAs ({warps_per_sm} warps) per multiprocessor")
            }
            None => String::new(),
        };
        let configuration = match self.configuration_text() {
            Some(text) => format!(", configuration {text}"),
            None => String::new(),
        };
        let dots = match image.resources.dots {
            DotPolicy::Overlap => "",
            DotPolicy::Wait => ", products wait for each other",
        };
        let scalar_dots = match image.resources.scalar_dots.len() {
            0 => String::new(),
            count => format!(", {count} products not on tensor cores"),
        };
        let scratch = match image.global_scratch_bytes {
            0 => String::new(),
            bytes => format!("{bytes} bytes of scratch memory for each CTA, "),
        };
        format!(
            "{}: grid {}x{}x{}, {} warps, {} stages, {registers}, {}{occupancy}{dots}{scalar_dots}, {scratch}{} PTX instructions ({}){configuration}",
            self.kernel,
            self.grid[0],
            self.grid[1],
            self.grid[2],
            image.num_warps,
            self.num_stages,
            self.shared_memory(),
            image.resources.instructions,
            image.target
        )
    }

    /// `49152 bytes of shared memory (pipeline 49152, reduction 512)`: buffers that never live at once share bytes, so the
    /// parts can be more than the whole.
    fn shared_memory(&self) -> String {
        let mut parts: Vec<(&str, u32)> = Vec::new();
        for (name, _, bytes) in &self.image.resources.shared_buffers {
            match parts.iter_mut().find(|(known, _)| known == name) {
                Some((_, sum)) => *sum += bytes,
                None => parts.push((name, *bytes)),
            }
        }
        let list: Vec<String> = parts.iter().map(|(name, bytes)| format!("{name} {bytes}")).collect();
        let list = if list.is_empty() { String::new() } else { format!(" ({})", list.join(", ")) };
        format!("{} bytes of shared memory{list}", self.image.shared_bytes)
    }

    /// What the launch counted of the lines of its kernel: bank conflicts, on the simulator.
    pub fn measured(&self) -> Measured {
        let Some(simulation) = &self.report.simulation else { return Measured::default() };
        let lines = simulation.memory.lines();
        let conflicting = lines.into_iter().filter(|row| row.counts.bank_conflicts() > 0);
        let conflict = |row: AccessRow| Conflict {
            place: Place { file: row.file, line: row.line, column: row.column },
            kind: row.kind.name().to_string(),
            wavefronts: row.counts.wavefronts,
            least_wavefronts: row.counts.least_wavefronts,
        };
        Measured { conflicts: conflicting.map(conflict).collect() }
    }

    /// Why the kernel is as fast as it is, line by line; nothing where there is nothing to say.
    pub fn why(&self) -> String {
        self.image.resources.why.report(&self.measured())
    }

    /// The configuration of `@triton.autotune` as `BLOCK=64 num_warps=4 …`.
    pub fn configuration_text(&self) -> Option<String> {
        let settings = self.configuration.as_ref()?;
        Some(settings.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" "))
    }
}
