//! CTAs that share a multiprocessor, and the waves in which those of a grid come.
//!
//! What a grid brings to each multiprocessor, and how many CTAs have room there at the same time, say how often their number is started anew. All rules that
//! weigh registers, stages or loads against CTAs ask here. Grids are told apart by steps ([`Residency`]), of which the end is counted, where not all numbers
//! of a step are asked for ([`saves_a_wave`]).

use tk_types::Residency;

/// Waves in which so many CTAs come.
pub(crate) fn waves(brought: u32, resident: u32) -> u32 {
    brought.div_ceil(resident.max(1))
}

/// CTAs that run at the same time in the mean of the waves, where so many have room. Most grids bring as many as their step says: of 289 recorded launches
/// that bring five to sixteen, 212 bring eight or sixteen.
pub(crate) fn together(residency: Residency, resident: u32) -> f64 {
    match residency.at_most() {
        Some(brought) => f64::from(brought) / f64::from(waves(brought, resident).max(1)),
        None => f64::from(resident),
    }
}

/// The least number of CTAs with room, with which so many come in fewer waves than with `resident` of them.
pub(crate) fn least_with_fewer_waves(brought: u32, resident: u32) -> Option<u32> {
    let waves = waves(brought, resident);
    (waves > 1).then(|| brought.div_ceil(waves - 1))
}

/// Every grid that is told as this one comes in fewer waves with one CTA more than `resident`.
pub(crate) fn saves_a_wave(residency: Residency, resident: u32) -> bool {
    residency.at_most().is_some_and(|most| {
        let mut grids = Residency::brought_by(most);
        resident > 0 && grids.all(|brought| waves(brought, resident + 1) < waves(brought, resident))
    })
}

/// One CTA has a multiprocessor for itself, and those that the grid brings come in half as many waves with another one beside it.
pub(crate) fn halves_waves(residency: Residency, resident: u32) -> bool {
    let brought = residency.at_most();
    resident == 1 && brought.is_some_and(|brought| brought > 1 && 2 * waves(brought, 2) == waves(brought, 1))
}

/// With one CTA more than three or more, all that the grid brings run at once. Without it the last one of a multiprocessor comes when others end, and has more
/// of it than it would have from the start: the wave that is saved is a short one. Of six launches that spill 16 to 52 bytes for that five take 1.03 to 1.13
/// times as long, and one is level; where grids bring more, thirteen of sixteen with 8 to 44 bytes are 1.01 to 1.2 times as fast (docs/measurements.md, "The
/// last CTA of a grid is not worth spills").
pub(crate) fn is_last_of_few(residency: Residency, resident: u32) -> bool {
    resident > 2 && residency.at_most() == Some(resident + 1)
}

/// One less than `resident`, where as many as are brought take two waves with both: the last CTA that has room is one too many. In one wave nothing is left
/// over, and more end less unevenly. Many grids bring three quarters of their step: so many stay.
pub(crate) fn without_one_too_many(brought: u32, resident: u32) -> Option<u32> {
    let is_three_quarters = 4 * resident == 3 * brought;
    let less = resident.checked_sub(1).filter(|_| brought >= LEAST_BROUGHT && !is_three_quarters)?;
    (waves(brought, resident) == 2 && waves(brought, less) == 2).then_some(less)
}

/// Half of what is brought, where that comes in two waves, and the second one has at most half the CTAs of the first. On an H200 three launches whose second wave
/// has more are 0.993 to 1.010 times as fast with even ones.
pub(crate) fn half_of_uneven_waves(brought: u32, resident: u32) -> Option<u32> {
    let left = brought.checked_sub(resident).filter(|left| *left > 0)?;
    (2 * left <= resident).then_some(brought.div_ceil(2))
}

/// Steps of grids that have CTAs to spare: with two instead of three a third of what hides waits is gone, and four launches are 0.95 to 1.03 times as fast.
const LEAST_BROUGHT: u32 = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_ctas_ask_in_waves() {
        let at_most = |most, resident| together(Residency::AtMost(most), resident);
        assert_eq!([2, 3, 4, 5].map(|resident| at_most(4, resident)), [2.0, 2.0, 4.0, 4.0]);
        assert_eq!([3, 4, 7, 8, 16].map(|resident| at_most(8, resident)), [8.0 / 3.0, 4.0, 4.0, 8.0, 8.0]);
        assert_eq!((at_most(3, 2), at_most(1, 4)), (1.5, 1.0));
        assert_eq!([Residency::Any, Residency::Many].map(|residency| together(residency, 7)), [7.0; 2]);
        assert_eq!(together(Residency::One, 7), 1.0);
    }

    #[test]
    fn a_wave_is_saved_by_the_least_ctas_that_do() {
        let least = least_with_fewer_waves;
        assert_eq!(
            [1, 2, 3, 4, 7, 8].map(|resident| least(8, resident)),
            [Some(2), Some(3), Some(4), Some(8), Some(8), None]
        );
        assert_eq!([4, 6, 12].map(|resident| least(16, resident)), [Some(6), Some(8), Some(16)]);
        assert_eq!(least(1, 1), None);
    }

    #[test]
    fn a_wave_is_saved_whichever_grid_it_is() {
        let saves = saves_a_wave;
        assert!(
            saves(Residency::AtMost(4), 3) && saves(Residency::AtMost(4), 1),
            "397 to 528 programs for 132 multiprocessors"
        );
        assert!(!saves(Residency::AtMost(4), 2), "two and two, or three and one");
        assert!(!saves(Residency::AtMost(8), 3), "five and six come in two waves with three as with four");
        assert!(saves(Residency::AtMost(8), 1) && saves(Residency::AtMost(2), 1));
        assert!(!saves(Residency::Many, 3) && !saves(Residency::Any, 3) && !saves(Residency::One, 1));
    }

    #[test]
    fn the_last_cta_of_a_grid_comes_when_others_end() {
        assert!(is_last_of_few(Residency::AtMost(4), 3));
        assert!(
            !is_last_of_few(Residency::AtMost(3), 2) && !is_last_of_few(Residency::AtMost(2), 1),
            "half of the work"
        );
        assert!(!is_last_of_few(Residency::AtMost(8), 3) && !is_last_of_few(Residency::Many, 3), "others follow");
    }

    #[test]
    fn uneven_waves_are_halved() {
        let half = |resident| half_of_uneven_waves(32, resident);
        assert_eq!([33, 32, 31, 24, 22].map(half), [None, None, Some(16), Some(16), Some(16)]);
        assert_eq!([21, 16, 8, 0].map(half), [None; 4], "waves that are nearly even, and more of them");
        assert_eq!(half_of_uneven_waves(27, 24), Some(14));
    }

    #[test]
    fn two_waves_need_half_of_what_is_brought() {
        let of = |brought, residents: &[u32]| -> Vec<Option<u32>> {
            residents.iter().map(|resident| without_one_too_many(brought, *resident)).collect()
        };
        assert_eq!(of(8, &[8, 7, 6, 5, 4, 3, 0]), [None, Some(6), None, Some(4), None, None, None]);
        assert_eq!(of(16, &[16, 13, 12, 10, 9, 8, 7]), [None, Some(12), None, Some(9), Some(8), None, None]);
        assert_eq!(of(4, &[4, 3, 2, 1]), [None; 4]);
    }
}
