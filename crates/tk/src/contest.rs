//! Which configuration is fastest in sustained use: the policy of an autotuning, as one pure function over what was measured.
//!
//! [`next`] looks at every slice measured so far and says which to measure next, or who won. It knows no device, and no clock but the
//! times in its argument, so that a model of a GPU can play against it (`contest/gpu_model.rs`).
//!
//! A GPU that comes from rest runs faster than its power allows for long, and one that just ran a frugal configuration lends its clocks
//! to a hungry one for a tenth of a second. One H200, attention with head dimension 64: 64x64 with 4 warps ran at 409 TFLOP/s for a
//! moment and at 382 in use; 128x64 with 8 warps, which it had beaten, runs at 405. So a short look can only refuse what is hopeless, and
//! the contest halves the field in three tuning rounds ([`ROUNDS`]), each longer for fewer:
//!
//! 1. a first look at everything, from rest;
//! 2. a second look at what is left, on a GPU that is busy by then, in the other direction, so that all meet the same clocks;
//! 3. one sustained measurement for each of the few that are close. A measurement is a row of slices of which only the last quarter counts: by then the
//!    clocks are its own. One long measurement says more than two short ones, which both begin with the clocks of somebody else. A measurement ends
//!    early when its slices do not move any more and power does not hold them, or when it cannot become the best.
//!
//! Now and then something holds a GPU back for a tenth of a second, whoever runs, and nothing in the figures of that time shows it: on the same
//! H200 one of two products that differ by 4 % was 8 to 18 % slower in three of ten contests, with runs that were all alike. But it does not
//! come twice at the wrong time. So a configuration has to be slow in both looks to be out, and a measurement that says something else than both
//! looks did is repeated at the end; the better one counts.
//!
//! Figures of different rounds were measured in different states of the GPU and are not compared with each other.

/// What is to be measured: runs of one configuration without a break.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slice {
    /// The place of the configuration.
    pub at: usize,
    /// The tuning round, from 1.
    pub round: usize,
    /// Milliseconds of back-to-back runs before the timed ones.
    pub heat_ms: f64,
    /// Milliseconds of timed runs, each after a flush of the cache; at least one run.
    pub measure_ms: f64,
}

/// What a slice gave.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    /// What was to be measured.
    pub slice: Slice,
    /// Milliseconds of each timed run; empty when the configuration failed, which ends it.
    pub times_ms: Vec<f64>,
    /// Milliseconds from the beginning of the contest to the end of this slice.
    pub done_at_ms: f64,
}

/// What to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    /// Measure this and ask again.
    Measure(Slice),
    /// It is over.
    Decided(Outcome),
}

/// The end of a contest.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    /// The place of the fastest; `None` when none runs.
    pub winner: Option<usize>,
    /// What is known of each configuration; `None` for one that failed.
    pub standings: Vec<Option<Standing>>,
}

/// The figure of a configuration in the last round that it was in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standing {
    /// The tuning round, from 1.
    pub round: usize,
    /// Milliseconds of one run.
    pub figure_ms: f64,
    /// Timed runs behind the figure.
    pub runs: usize,
    /// How far they are apart, as a fraction of the figure: the medians of the slices, or the middle half of the runs of one slice.
    pub spread: f64,
    /// The winner's figure in the same round, in milliseconds.
    pub winner_ms: f64,
}

/// The rules of a tuning round.
struct Round {
    /// Who takes part: those that took at most this many times as long as the fastest in the round before…
    within: f64,
    /// …but no more than this many.
    most: usize,
}

/// The limits are wider than clocks can differ: on an H200 rest against work is 17 %, a hungry configuration against a frugal one 8 %.
const ROUNDS: [Round; 3] = [
    Round { within: f64::INFINITY, most: usize::MAX },
    Round { within: 1.5, most: 10 },
    Round { within: 1.09, most: 4 },
];

/// The round of the sustained measurements.
const SUSTAINED: usize = ROUNDS.len();

/// The round of the measurements that are repeated.
const REPEATED: usize = SUSTAINED + 1;

/// A measurement is repeated when it is this many times as far behind the best as the better of the looks was.
const SURPRISE: f64 = 1.05;

/// Milliseconds of timed runs in the looks of the first two rounds.
const LOOK_MS: (f64, f64) = (3.0, 4.0);

/// Milliseconds of heating before each second look: what was before it leaves the caches.
const LOOK_HEATING_MS: f64 = 3.0;

/// A second look has two runs that are shorter than this many milliseconds, because an interruption can spoil one.
const SHORT_RUN_MS: f64 = 25.0;

/// Milliseconds from rest to the clocks of a busy GPU: the second round begins that late.
const FROM_REST_MS: f64 = 180.0;

/// Milliseconds of a slice of a sustained measurement.
const SLICE_MS: f64 = 15.0;

/// Milliseconds of a flush, and timed runs of a slice: so few that flushes, which draw less power, are a tenth of a slice.
const FLUSH_MS: f64 = 0.08;
const SLICE_RUNS: f64 = 18.0;

/// The least and the most of the budget that a sustained measurement takes.
const TURN_SHARE: (f64, f64) = (0.09, 0.26);

/// After this many slices a measurement shows where it goes.
const TELLING_SLICES: usize = 6;

/// As many when it is repeated, which is longer than what holds a GPU back.
const TELLING_AGAIN: usize = 12;

/// A measurement whose last slices differ by more than `CALM` takes up to this many times as long.
const LONGER: f64 = 1.6;
const CALM: f64 = 0.02;

/// The slices of a measurement differ by less than this where nothing moves.
const EVEN: f64 = 0.015;

/// A measurement is over when it cannot come closer to the best than this.
const HOPELESS: f64 = 0.015;

/// A measurement is at ease when it takes less than this many times as long as the better of the looks.
const AT_EASE: f64 = 1.06;

/// A measurement is steady when the means of its last slices differ by less than this.
const STEADY: f64 = 0.003;

/// What to do after `history`, in a contest of `count` configurations that should take about `budget_ms`.
pub(crate) fn next(count: usize, history: &[Measured], budget_ms: f64) -> Next {
    let contest = Contest { history, budget_ms };
    let mut left: Vec<usize> = (0..count).collect();
    let mut last = 1;
    for round in 1..=ROUNDS.len() {
        if round > 1 {
            left = contest.qualified(round, &left);
            // A round that has begun is finished: without it nobody has a figure of the same kind as the others.
            let has_begun = contest.history.iter().any(|measured| measured.slice.round == round);
            if left.len() < 2 || (!has_begun && contest.now_ms() >= budget_ms) {
                break;
            }
        }
        last = round;
        if let Some(slice) = contest.missing(round, &left) {
            return Next::Measure(slice);
        }
    }
    if last == SUSTAINED
        && let Some(slice) = contest.missing(REPEATED, &contest.surprising(&left))
    {
        return Next::Measure(slice);
    }
    let winner = contest.ranked(last, &left).first().map(|(at, _)| *at);
    Next::Decided(contest.outcome(count, winner))
}

/// The times of a slice, as in [`Measured`], and the milliseconds since the beginning.
pub(crate) type Answer<E> = Result<(Vec<f64>, f64), E>;

/// Plays a contest: `measure` gives the times of a slice (none for a configuration that fails) and the milliseconds since the beginning.
pub(crate) fn play<E>(
    count: usize,
    budget_ms: f64,
    measure: &mut dyn FnMut(&Slice) -> Answer<E>,
) -> Result<(Outcome, Vec<Measured>), E> {
    let mut history = Vec::new();
    loop {
        match next(count, &history, budget_ms) {
            Next::Decided(outcome) => return Ok((outcome, history)),
            Next::Measure(slice) => {
                let (times_ms, done_at_ms) = measure(&slice)?;
                history.push(Measured { slice, times_ms, done_at_ms });
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Contest<'h> {
    history: &'h [Measured],
    budget_ms: f64,
}

impl<'h> Contest<'h> {
    fn now_ms(&self) -> f64 {
        self.history.last().map_or(0.0, |measured| measured.done_at_ms)
    }

    /// The first slice of a round that is still to be measured, for those that `left` names, fastest first.
    fn missing(&self, round: usize, left: &[usize]) -> Option<Slice> {
        let mut order: Vec<usize> = left.iter().copied().filter(|at| !self.has_failed(*at)).collect();
        if round == 2 {
            order.reverse();
        }
        let place = (0..order.len()).find(|place| !self.is_complete(round, order[*place], order.len() - place))?;
        Some(self.slice(round, order[place]))
    }

    /// The slice of a configuration that fits the round and how long its runs are.
    fn slice(&self, round: usize, at: usize) -> Slice {
        let run_ms = self.standing(1, at).map_or(0.0, |standing| standing.figure_ms);
        let (heat_ms, measure_ms) = match round {
            1 => (0.0, LOOK_MS.0),
            2 => {
                let is_first = self.history.iter().all(|measured| measured.slice.round < round);
                let missing = if is_first { FROM_REST_MS - self.now_ms() } else { 0.0 };
                let two_runs = if run_ms < SHORT_RUN_MS { 2.0 * (run_ms + FLUSH_MS) } else { 0.0 };
                (missing.max(LOOK_HEATING_MS), two_runs.max(LOOK_MS.1))
            }
            _ => {
                // Sustained measurements, also when they are repeated.
                let timed = (SLICE_RUNS * (run_ms + FLUSH_MS)).min(SLICE_MS);
                (SLICE_MS - timed, timed)
            }
        };
        Slice { at, round, heat_ms, measure_ms }
    }

    fn has_failed(&self, at: usize) -> bool {
        self.history.iter().any(|measured| measured.slice.at == at && measured.times_ms.is_empty())
    }

    /// The slices of a configuration in a round, each with its place in the history.
    fn slices(&self, round: usize, at: usize) -> Vec<(usize, &'h Measured)> {
        let is_of = |slice: &Slice| slice.round == round && slice.at == at;
        self.history.iter().enumerate().filter(|(_, measured)| is_of(&measured.slice)).collect()
    }

    /// Whether a configuration has had its time in a round in which `measurements`, this one included, are to come.
    fn is_complete(&self, round: usize, at: usize, measurements: usize) -> bool {
        let slices = self.slices(round, at);
        let (Some((first, _)), Some((_, last))) = (slices.first(), slices.last()) else { return false };
        if round < SUSTAINED {
            return true;
        }
        let begun_ms = first.checked_sub(1).map_or(0.0, |before| self.history[before].done_at_ms);
        let (least, most) = (TURN_SHARE.0 * self.budget_ms, TURN_SHARE.1 * self.budget_ms);
        let measurement_ms = ((self.budget_ms - begun_ms) / measurements as f64).min(most).max(least);
        let course: Vec<f64> = slices.iter().map(|(_, slice)| median(&slice.times_ms)).collect();
        let lasted_ms = last.done_at_ms - begun_ms;
        if lasted_ms >= measurement_ms && (ends_calmly(&course) || lasted_ms >= LONGER * measurement_ms) {
            return true;
        }
        let telling = if round == REPEATED { TELLING_AGAIN } else { TELLING_SLICES };
        is_steady(&course) && self.is_at_ease(at, &course)
            || course.len() >= telling && is_hopeless(&course, self.best_but(at))
    }

    /// Whether a measurement is about as fast as the looks were, so that power does not hold its clock. A clock that power holds can stand still for
    /// a tenth of a second far below where it ends.
    fn is_at_ease(&self, at: usize, course: &[f64]) -> bool {
        let looks = (1..SUSTAINED).filter_map(|round| self.standing(round, at)).map(|standing| standing.figure_ms);
        let now = course.last().copied().unwrap_or(f64::NAN);
        looks.fold(f64::INFINITY, f64::min) * AT_EASE > now
    }

    /// The best figure of the others in sustained measurements.
    fn best_but(&self, at: usize) -> f64 {
        let others = self
            .history
            .iter()
            .map(|measured| measured.slice)
            .filter(|slice| slice.round >= SUSTAINED && slice.at != at);
        let figures = others.filter_map(|slice| self.sustained(slice.at)).map(|standing| standing.figure_ms);
        figures.fold(f64::INFINITY, f64::min)
    }

    /// The better of the sustained measurements of a configuration.
    fn sustained(&self, at: usize) -> Option<Standing> {
        let measurements = [SUSTAINED, REPEATED].into_iter().filter_map(|round| self.standing(round, at));
        let better = measurements.min_by(|a, b| a.figure_ms.total_cmp(&b.figure_ms))?;
        Some(Standing { round: SUSTAINED, ..better })
    }

    /// For each of `left` how many times as long as the fastest it took in the better of the looks before a round.
    fn behind_in_looks(&self, round: usize, left: &[usize]) -> Vec<(usize, f64)> {
        let mut better: Vec<(usize, f64)> = Vec::new();
        for look in 1..round {
            let ranked = self.ranked(look, left);
            let fastest = ranked.first().map_or(f64::NAN, |(_, fastest)| *fastest);
            for (at, figure) in ranked {
                match better.iter_mut().find(|(known, _)| *known == at) {
                    Some((_, behind)) => *behind = behind.min(figure / fastest),
                    None => better.push((at, figure / fastest)),
                }
            }
        }
        better
    }

    /// Those whose sustained measurement says something else than both looks did.
    fn surprising(&self, left: &[usize]) -> Vec<usize> {
        let first_turn = |at: usize| self.standing(SUSTAINED, at).map(|standing| standing.figure_ms);
        let best = left.iter().filter_map(|at| first_turn(*at)).fold(f64::INFINITY, f64::min);
        let looks = self.behind_in_looks(SUSTAINED, left);
        let is_surprising =
            |(at, behind): &(usize, f64)| first_turn(*at).is_some_and(|figure| figure / best > SURPRISE * behind);
        looks.into_iter().filter(is_surprising).map(|(at, _)| at).collect()
    }

    /// The standing of a configuration in a round, with its own figure as the winner's; `None` if it failed or was not in it.
    fn standing(&self, round: usize, at: usize) -> Option<Standing> {
        if self.has_failed(at) {
            return None;
        }
        let slices = self.slices(round, at);
        let course: Vec<f64> = slices.iter().map(|(_, slice)| median(&slice.times_ms)).collect();
        // Where nothing moves, all of a measurement says what its end says, and says it better.
        let is_even = round >= SUSTAINED && quantile(&course, 1.0) <= quantile(&course, 0.0) * (1.0 + EVEN);
        let first = if is_even { 1.min(slices.len() - 1) } else { slices.len() - slices.len().div_ceil(4) };
        let counted = &slices[first..];
        let runs: Vec<f64> = counted.iter().flat_map(|(_, slice)| &slice.times_ms).copied().collect();
        let medians: Vec<f64> = counted.iter().map(|(_, slice)| median(&slice.times_ms)).collect();
        // A look has few runs, and an interruption only makes a run longer: there the least says most.
        let figure_ms = if round < SUSTAINED { quantile(&runs, 0.0) } else { median(&runs) };
        let spread = match medians.len() {
            1 => quantile(&runs, 0.75) - quantile(&runs, 0.25),
            _ => quantile(&medians, 1.0) - quantile(&medians, 0.0),
        };
        figure_ms.is_finite().then(|| Standing {
            round,
            figure_ms,
            runs: runs.len(),
            spread: spread / figure_ms,
            winner_ms: figure_ms,
        })
    }

    /// Those of `left` that have a figure in a round, with it, fastest first.
    fn ranked(&self, round: usize, left: &[usize]) -> Vec<(usize, f64)> {
        let standing = |at: usize| if round < SUSTAINED { self.standing(round, at) } else { self.sustained(at) };
        let figure = |at: &usize| Some((*at, standing(*at)?.figure_ms));
        let mut ranked: Vec<(usize, f64)> = left.iter().filter_map(figure).collect();
        ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
        ranked
    }

    /// Those of `left` that take part in a round after the first, fastest first.
    fn qualified(&self, round: usize, left: &[usize]) -> Vec<usize> {
        let Round { within, most } = ROUNDS[round - 1];
        let mut ranked = self.behind_in_looks(round, left);
        ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
        ranked.iter().take_while(|(_, behind)| *behind <= within).take(most).map(|(at, _)| *at).collect()
    }

    fn outcome(&self, count: usize, winner: Option<usize>) -> Outcome {
        let in_round = |round: usize, at: usize| match round {
            SUSTAINED => self.sustained(at),
            _ => self.standing(round, at),
        };
        let last = |at: usize| (1..=ROUNDS.len()).rev().find_map(|round| in_round(round, at));
        let beside_winner = |standing: Standing| {
            let winners = winner.and_then(|winner| in_round(standing.round, winner));
            Standing { winner_ms: winners.map_or(standing.figure_ms, |winner| winner.figure_ms), ..standing }
        };
        Outcome { winner, standings: (0..count).map(|at| last(at).map(beside_winner)).collect() }
    }
}

/// Whether the figures of a measurement do not move any more. The clock answers late, so a short calm at the beginning says nothing.
fn is_steady(course: &[f64]) -> bool {
    if course.len() < TELLING_SLICES + 2 {
        return false;
    }
    let end = course.len();
    let late = mean(&course[end - 2..]);
    let is_close = |part: &[f64]| (mean(part) / late - 1.0).abs() < STEADY;
    is_close(&course[end - 5..end - 2]) && is_close(&course[end - 8..end - 5])
}

/// Whether the last slices of a measurement are alike.
fn ends_calmly(course: &[f64]) -> bool {
    let last = &course[course.len().saturating_sub(4)..];
    quantile(last, 1.0) <= quantile(last, 0.0) * (1.0 + CALM)
}

/// Whether a measurement ends above the best of the others even if it goes on to fall twice as far as it has fallen.
fn is_hopeless(course: &[f64], best: f64) -> bool {
    if course.len() < TELLING_SLICES {
        return false;
    }
    let (early, late) = (median(&course[..3]), quantile(&course[course.len() - 2..], 0.0));
    late - 2.0 * (early - late).max(0.0) > best * (1.0 + HOPELESS)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The middle of the values; not a number when there are none.
fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// The value that this fraction of the values stays below.
fn quantile(values: &[f64], fraction: f64) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let position = fraction * values.len().saturating_sub(1) as f64;
    let at = |place: f64| values.get(place as usize).copied().unwrap_or(f64::NAN);
    let (low, high) = (at(position.floor()), at(position.ceil()));
    low + (high - low) * position.fract()
}

#[cfg(test)]
#[path = "contest/gpu_model.rs"]
mod gpu_model;
