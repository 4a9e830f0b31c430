//! The result of an autotuning: what was tried, how long it took, and which configuration won. Plain data and its table.

use serde::{Deserialize, Serialize};
use std::fmt;
use tk_target::Occupancy;

/// What one autotuning found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneReport {
    /// The kernel's name.
    pub kernel: String,
    /// What the choice is for: `M=512 N=512 float16 float16`.
    pub key: String,
    /// The device, in words.
    pub device: String,
    /// The driver and the build of tk that it was found with; empty in files of older versions.
    #[serde(default)]
    pub found_with: String,
    /// How it was decided.
    pub decision: Decision,
    /// Every configuration, in the order of the program.
    pub trials: Vec<Trial>,
    /// The place of the chosen one in `trials`.
    pub winner: usize,
    /// Seconds that compiling and timing took together.
    pub seconds: f64,
}

/// How a configuration was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// All were timed now, and the fastest won.
    Measured,
    /// All were timed in an earlier run on this device.
    Remembered,
    /// The simulator took the first one that fits the device: its times say nothing about a GPU.
    FirstThatFits,
    /// The simulator ran all of them, and the one with the least work by its counts won. That is no time on a GPU.
    Counted,
}

/// One configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Names and values: constexpr parameters, `num_warps`, `num_stages`, …
    pub settings: Vec<(String, String)>,
    /// What it does on the device, or why it could not be used.
    pub outcome: Result<Figures, String>,
}

/// What is known of a configuration that can run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// How long a run takes; `None` when it was not timed.
    pub time: Option<RunTime>,
    /// What the simulator counted of a run, where configurations are ranked by that.
    #[serde(default)]
    pub work: Option<Work>,
    /// Registers per thread, where the device knows.
    pub registers: Option<u32>,
    /// Bytes of spill stores per thread, where the device knows.
    pub spill_bytes: Option<u32>,
    /// Shared memory of a CTA in bytes.
    pub shared_bytes: u32,
    /// CTAs that run on one multiprocessor at the same time, where the registers are known.
    pub ctas_per_sm: Option<u32>,
    /// Warps of these CTAs.
    pub warps_per_sm: Option<u32>,
    /// What keeps one more CTA away.
    pub limit: Option<String>,
}

/// What a run of a configuration does, as the simulator counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Instructions that warps execute.
    pub warp_instructions: u64,
    /// Sectors of 32 bytes of global memory that accesses touch.
    pub sectors: u64,
}

impl Work {
    /// What configurations are ranked by: instructions and sectors count alike.
    pub fn amount(&self) -> u64 {
        self.warp_instructions.saturating_add(self.sectors)
    }
}

/// How long a run of a configuration takes, and how the figure came about.
///
/// Configurations are timed in rounds, each longer for fewer. Only figures of one round were measured in the same state of the GPU, so the
/// figure of a configuration that left early is compared with the winner's of that round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunTime {
    /// Milliseconds of one run.
    pub ms: f64,
    /// The last round that the configuration was in, from 1.
    pub round: usize,
    /// Timed runs behind the figure.
    pub runs: usize,
    /// How far they are apart, as a fraction of the figure.
    pub spread: f64,
    /// Milliseconds, in the same round, of the configuration that was the fastest in the last one: the winner, or one that is level with it.
    pub winner_ms: f64,
}

impl Figures {
    /// With what is known of the occupancy.
    pub fn with_occupancy(mut self, occupancy: Option<Occupancy>) -> Self {
        self.ctas_per_sm = occupancy.map(|occupancy| occupancy.ctas_per_sm);
        self.warps_per_sm = occupancy.map(|occupancy| occupancy.warps_per_sm);
        self.limit = occupancy.map(|occupancy| occupancy.limit.to_string());
        self
    }
}

impl TuneReport {
    /// What is known of the chosen configuration; `None` only in a report that was tampered with.
    pub fn chosen(&self) -> Option<(&Trial, &Figures)> {
        let trial = self.trials.get(self.winner)?;
        Some((trial, trial.outcome.as_ref().ok()?))
    }

    /// Whether the winner is one of the trials, and ran.
    pub fn is_sound(&self) -> bool {
        self.chosen().is_some()
    }

    /// The trials in the order of the table: the winner, the others by how far they came and their time, those not timed, those that
    /// failed.
    fn ranked(&self) -> Vec<(usize, &Trial)> {
        let mut order: Vec<(usize, &Trial)> = self.trials.iter().enumerate().collect();
        let rank = |(at, trial): &(usize, &Trial)| match &trial.outcome {
            _ if *at == self.winner => (0, 0, 0.0),
            Ok(Figures { time: Some(time), .. }) => (1, usize::MAX - time.round, time.ms),
            Ok(Figures { work: Some(work), .. }) => (2, 0, work.amount() as f64),
            Ok(_) => (2, usize::MAX, 0.0),
            Err(_) => (3, 0, 0.0),
        };
        order.sort_by(|a, b| {
            let (a, b) = (rank(a), rank(b));
            a.0.cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.total_cmp(&b.2))
        });
        order
    }

    fn times(&self) -> impl Iterator<Item = (usize, RunTime)> {
        let time = |trial: &Trial| trial.outcome.as_ref().ok()?.time;
        self.trials.iter().enumerate().filter_map(move |(at, trial)| Some((at, time(trial)?)))
    }

    /// One sentence: why the winner won.
    pub fn reason(&self) -> String {
        let Some((_, figures)) = self.chosen() else { return "no configuration can run".to_string() };
        if let (Decision::Counted, Some(work)) = (self.decision, figures.work) {
            return format!(
                "least work on the simulator ({} warp instructions, {} sectors); a GPU may be faster with another",
                work.warp_instructions, work.sectors
            );
        }
        let (Some(time), true) = (figures.time, self.decision != Decision::FirstThatFits) else {
            return "the first configuration that fits the device; a GPU would time all of them".to_string();
        };
        let mut text = format!("{}, {}", self.place(&time), self.lead(&time));
        if let Some(registers) = figures.registers {
            text.push_str(&format!("; {registers} registers, "));
            match figures.spill_bytes {
                Some(0) => text.push_str("no spills"),
                Some(bytes) => text.push_str(&format!("{bytes} bytes of spills")),
                None => text.push_str("spills unknown"),
            }
        }
        if let (Some(ctas), Some(limit)) = (figures.ctas_per_sm, &figures.limit) {
            text.push_str(&format!(", {ctas} CTAs per multiprocessor (limited by {limit})"));
        }
        text
    }

    /// How fast the winner is, and whether none of its round is faster.
    fn place(&self, winner: &RunTime) -> String {
        let is_behind = self.times().any(|(_, time)| time.round == winner.round && time.ms < winner.ms);
        format!("{} {:.4} ms", if is_behind { "chosen at" } else { "fastest at" }, winner.ms)
    }

    /// How far the winner is ahead of the next in its round, else that it alone came so far.
    fn lead(&self, winner: &RunTime) -> String {
        let others = || self.times().filter(|(at, _)| *at != self.winner);
        let beside = others().filter(|(_, time)| time.round == winner.round);
        match beside.min_by(|a, b| a.1.ms.total_cmp(&b.1.ms)) {
            Some((_, next)) if next.ms < winner.ms => {
                format!("level with the fastest ({:.4} ms) and of fewer programs", next.ms)
            }
            Some((_, next)) => {
                let lead = 1.0 - winner.ms / next.ms;
                let doubt = if lead < winner.spread.max(next.spread) { ", which is less than runs differ" } else { "" };
                format!("{:.1} % less than the next{doubt}", lead * 100.0)
            }
            None if others().next().is_some() => format!("ahead of all others after round {}", winner.round),
            None => "the only one that runs".to_string(),
        }
    }

    /// What the figures of trials that left before the last round are worth; `None` when there are none.
    fn caution(&self) -> Option<String> {
        let last = self.times().find(|(at, _)| *at == self.winner)?.1.round;
        self.times().any(|(_, time)| time.round < last).then(|| {
            format!(
                "~: left before round {last}, timed shortly and at other clocks; comparable only with the winner in the same round (\"of best\")"
            )
        })
    }
}

impl fmt::Display for TuneReport {
    /// A title, a table with the winner first, and the reason.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.decision {
            Decision::Measured => format!("tuned in {:.1} s", self.seconds),
            Decision::Remembered => "from the cache".to_string(),
            Decision::FirstThatFits => "not timed".to_string(),
            Decision::Counted => "counted by the simulator, not timed".to_string(),
        };
        let (kernel, key, device) = (&self.kernel, &self.key, &self.device);
        let count = self.trials.len();
        let plural = if count == 1 { "" } else { "s" };
        writeln!(f, "{kernel} for {key} on {device}: {count} configuration{plural}, {how}")?;
        // Columns in the order of the first mention: configurations need not set the same names.
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in self.trials.iter().flat_map(|trial| &trial.settings) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        let figures =
            ["ms", "of best", "round", "runs", "spread", "registers", "spills", "shared", "CTAs/SM", "warps/SM"];
        let is_counted = self.decision == Decision::Counted;
        let figures: Vec<&str> = figures
            .into_iter()
            .chain(is_counted.then_some(["instructions", "sectors"]).into_iter().flatten())
            .collect();
        let heads = names.iter().copied().chain(figures.iter().copied()).map(str::to_string).collect();
        let mut rows: Vec<(Vec<String>, Option<&str>)> = vec![(heads, None)];
        let last = self.chosen().and_then(|(_, figures)| figures.time).map_or(0, |time| time.round);
        for (_, trial) in self.ranked() {
            rows.push(row(trial, &names, last));
        }
        let width = |column: usize| rows.iter().filter_map(|(row, _)| row.get(column)).map(|c| c.chars().count()).max();
        let widths: Vec<usize> = (0..names.len() + figures.len()).map(|column| width(column).unwrap_or(0)).collect();
        for (at, (row, failure)) in rows.iter().enumerate() {
            f.write_str(if at == 1 { "*" } else { " " })?;
            for (cell, width) in row.iter().zip(&widths) {
                write!(f, "  {cell:>width$}")?;
            }
            match failure {
                Some(why) => writeln!(f, "  {why}")?,
                None => writeln!(f)?,
            }
        }
        if let Some(caution) = self.caution() {
            writeln!(f, "{caution}")?;
        }
        writeln!(f, "{}", self.reason())
    }
}

/// The cells of a trial, and why it failed. Times of rounds before the last one are marked.
fn row<'t>(trial: &'t Trial, names: &[&str], last: usize) -> (Vec<String>, Option<&'t str>) {
    let setting = |name: &&str| {
        let found = trial.settings.iter().find(|(known, _)| known == name);
        found.map_or("-".to_string(), |(_, value)| value.clone())
    };
    let mut cells: Vec<String> = names.iter().map(setting).collect();
    let figures = match &trial.outcome {
        Ok(figures) => figures,
        Err(why) => return (cells, Some(why.lines().next().unwrap_or_default())),
    };
    let number = |value: Option<u32>| value.map_or("-".to_string(), |value| value.to_string());
    match figures.time {
        Some(time) => cells.extend([
            format!("{}{:.4}", if time.round < last { "~" } else { "" }, time.ms),
            format!("{:.0} %", time.winner_ms / time.ms * 100.0),
            time.round.to_string(),
            time.runs.to_string(),
            format!("{:.1} %", time.spread * 100.0),
        ]),
        None => cells.extend(["-"; 5].map(str::to_string)),
    }
    cells.push(number(figures.registers));
    cells.push(number(figures.spill_bytes));
    cells.push(figures.shared_bytes.to_string());
    cells.push(number(figures.ctas_per_sm));
    cells.push(number(figures.warps_per_sm));
    cells.extend(
        figures.work.into_iter().flat_map(|work| [work.warp_instructions, work.sectors]).map(|n| n.to_string()),
    );
    (cells, None)
}

#[cfg(test)]
pub(crate) fn example() -> TuneReport {
    let settings = |block: u32, warps: u32| {
        vec![("BLOCK".to_string(), block.to_string()), ("num_warps".to_string(), warps.to_string())]
    };
    let figures = |(ms, round, runs, winner_ms): (f64, usize, usize, f64), registers: u32| Figures {
        time: Some(RunTime { ms, round, runs, spread: 0.004, winner_ms }),
        registers: Some(registers),
        spill_bytes: Some(0),
        work: None,
        shared_bytes: 49_152,
        ctas_per_sm: Some(2),
        warps_per_sm: Some(16),
        limit: Some("registers".to_string()),
    };
    TuneReport {
        kernel: "k".to_string(),
        key: "n=4096 float16".to_string(),
        device: "NVIDIA H200 (sm_90a)".to_string(),
        found_with: String::new(),
        decision: Decision::Measured,
        trials: vec![
            Trial { settings: settings(64, 4), outcome: Ok(figures((0.5, 3, 54, 0.4), 96)) },
            Trial { settings: settings(1024, 8), outcome: Err("`k` needs 262144 bytes of shared memory\nmore".into()) },
            Trial { settings: settings(128, 8), outcome: Ok(figures((0.4, 3, 54, 0.4), 128)) },
            Trial { settings: vec![("BLOCK".into(), "32".into())], outcome: Ok(figures((0.45, 1, 5, 0.3), 40)) },
        ],
        winner: 2,
        seconds: 1.25,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_shows_the_winner_first_and_failures_last() {
        let expected = "\
k for n=4096 float16 on NVIDIA H200 (sm_90a): 4 configurations, tuned in 1.2 s
   BLOCK  num_warps       ms  of best  round  runs  spread  registers  spills  shared  CTAs/SM  warps/SM
*    128          8   0.4000    100 %      3    54   0.4 %        128       0   49152        2        16
      64          4   0.5000     80 %      3    54   0.4 %         96       0   49152        2        16
      32          -  ~0.4500     67 %      1     5   0.4 %         40       0   49152        2        16
    1024          8  `k` needs 262144 bytes of shared memory
~: left before round 3, timed shortly and at other clocks; comparable only with the winner in the same round (\"of best\")
fastest at 0.4000 ms, 20.0 % less than the next; 128 registers, no spills, 2 CTAs per multiprocessor (limited by registers)
";
        assert_eq!(example().to_string(), expected);
    }

    #[test]
    fn reasons_fit_what_happened() {
        let starts =
            |report: &TuneReport, start: &str| assert!(report.reason().starts_with(start), "{}", report.reason());
        let mut report = example();
        if let Ok(Figures { time: Some(time), .. }) = &mut report.trials[0].outcome {
            time.ms = 0.401;
        }
        starts(&report, "fastest at 0.4000 ms, 0.2 % less than the next, which is less than runs differ; 128");
        if let Ok(Figures { time: Some(time), .. }) = &mut report.trials[0].outcome {
            time.ms = 0.399;
        }
        starts(&report, "chosen at 0.4000 ms, level with the fastest (0.3990 ms) and of fewer programs; 128");
        report.trials[0].outcome = Err("no".into());
        starts(&report, "fastest at 0.4000 ms, ahead of all others after round 3; 128");
        report.trials.truncate(3);
        starts(&report, "fastest at 0.4000 ms, the only one that runs; 128");
        assert_eq!(report.caution(), None);
        report.decision = Decision::FirstThatFits;
        assert!(report.reason().contains("first configuration that fits"));
    }
}
