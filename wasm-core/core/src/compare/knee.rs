//! The knee of a curve: where it levels off, or takes off.
//!
//! After Satopää, Albrecht, Irwin and Raghavan, "Finding a 'Kneedle' in a Haystack", 2011: both axes are
//! scaled to 0..1, and the knee is where the curve is farthest from the chord between its ends.
//! Simplified here: there is no smoothing and no sensitivity, as points are few and have intervals.
//! In place of them a knee counts only if it stands off the chord by more than the intervals of its point
//! and of the chord's ends together, and by more than a tenth of the curve's height; a learner would else be
//! shown a knee in a straight line.

use super::Estimate;

/// How far off the chord a knee is at least, of the curve's height.
const LEAST: f64 = 0.1;

/// A curve that changes by no more than this part of its values is flat.
const FLAT: f64 = 0.01;

/// What a curve does at its knee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bend {
    /// It changed fast up to it and hardly does beyond.
    LevelsOff,
    /// It hardly changed up to it and does fast beyond.
    TakesOff,
}

impl std::fmt::Display for Bend {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::LevelsOff => "levels off",
            Self::TakesOff => "takes off",
        })
    }
}

/// A knee by its place among the points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Knee {
    /// Which point.
    pub at: usize,
    /// What the curve does there.
    pub bend: Bend,
    /// How far it is off the chord, of the curve's height.
    pub off: f64,
}

/// How the settings of a curve are laid out along its axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// As they are.
    Even,
    /// By their logarithms.
    Log,
}

impl Axis {
    /// What settings of which no more is known are meant for: those that grow by a factor for logarithms.
    pub fn of(settings: &[f64]) -> Self {
        if settings.len() > 1 && is_geometric(settings) {
            Self::Log
        } else {
            Self::Even
        }
    }
}

/// The knee of a curve through points in ascending order; none in a line, in noise, or with fewer than
/// four points. Of an axis of logarithms it has to be one by the settings as they are, too: along either
/// a line along the other bends.
pub fn of(settings: &[f64], means: &[Estimate], axis: Axis) -> Option<Knee> {
    if settings.len() < 4 || settings.len() != means.len() || !settings.is_sorted() {
        return None;
    }
    if axis == Axis::Even || settings[0] <= 0.0 {
        return along(settings, means);
    }
    let logarithms: Vec<f64> = settings.iter().map(|setting| setting.ln()).collect();
    let as_they_are = along(settings, means)?;
    along(&logarithms, means).filter(|knee| knee.bend == as_they_are.bend)
}

/// The knee along one axis.
fn along(settings: &[f64], means: &[Estimate]) -> Option<Knee> {
    let (first, last) = (settings[0], *settings.last()?);
    let values = means.iter().map(|mean| mean.mean);
    let lowest = values.clone().fold(f64::INFINITY, f64::min);
    let height = values.fold(f64::NEG_INFINITY, f64::max) - lowest;
    let largest = means
        .iter()
        .fold(0.0, |most: f64, mean| most.max(mean.mean.abs()));
    if last <= first || height <= FLAT * largest {
        return None;
    }
    let scaled = |at: usize| (means[at].mean - lowest) / height;
    let (begin, end) = (scaled(0), scaled(means.len() - 1));
    let off = |at: usize| {
        let x = (settings[at] - first) / (last - first);
        scaled(at) - (begin + (end - begin) * x)
    };
    let at =
        (1..means.len() - 1).max_by(|&one, &other| off(one).abs().total_cmp(&off(other).abs()))?;
    let part = (settings[at] - first) / (last - first);
    let half = |at: usize| means[at].half_width.unwrap_or(0.0) / height;
    let noise = [
        half(at),
        half(0) * (1.0 - part),
        half(means.len() - 1) * part,
    ];
    let noise = noise.iter().map(|half| half * half).sum::<f64>().sqrt();
    if off(at).abs() <= LEAST.max(noise) {
        return None;
    }
    // Above the chord of a curve that rises, or below that of one that falls.
    let is_early = (off(at) > 0.0) == (end >= begin);
    let bend = if is_early {
        Bend::LevelsOff
    } else {
        Bend::TakesOff
    };
    Some(Knee {
        at,
        bend,
        off: off(at).abs(),
    })
}

/// Whether each is the same multiple of the one before, rounded to a whole number or not; steps that are as wide
/// are no factors, though a few small numbers may be both.
fn is_geometric(settings: &[f64]) -> bool {
    let (first, last) = (settings[0], settings[settings.len() - 1]);
    if first <= 0.0 || last <= first {
        return false;
    }
    let steps = (settings.len() - 1) as f64;
    let is_whole = settings.iter().all(|setting| setting.fract() == 0.0);
    let near = |at: usize, expected: f64| {
        let rounding = if is_whole { 0.5 } else { 0.0 };
        (settings[at] - expected).abs() <= rounding + 0.01 * expected
    };
    let mut places = 0..settings.len();
    let is_even = places.all(|at| near(at, first + (last - first) * at as f64 / steps));
    let mut places = 0..settings.len();
    let factor = |at: usize| first * (last / first).powf(at as f64 / steps);
    places.all(|at| near(at, factor(at))) && !is_even
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(values: &[f64], half: f64) -> Vec<Estimate> {
        let mean = |&mean| Estimate {
            mean,
            half_width: Some(half),
        };
        values.iter().map(mean).collect()
    }

    fn check(settings: &[f64], values: &[f64], half: f64, expected: Option<(usize, Bend)>) {
        let knee = of(settings, &curve(values, half), Axis::of(settings));
        assert_eq!(
            knee.map(|knee| (knee.at, knee.bend)),
            expected,
            "{values:?}"
        );
    }

    #[test]
    fn the_papers_example_has_its_knee() {
        // Figure 2 of the paper: y = -1/x + 5 from 0.1 on, with its knee near 0.22 of the width.
        let settings: Vec<f64> = (0..10).map(|at| f64::from(at).mul_add(0.1, 0.1)).collect();
        let values: Vec<f64> = settings.iter().map(|x| -1.0 / x + 5.0).collect();
        check(&settings, &values, 0.0, Some((2, Bend::LevelsOff)));
    }

    #[test]
    fn a_rate_that_saturates_and_a_delay_that_takes_off() {
        let loads = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        check(
            &loads,
            &[10.0, 20.0, 30.0, 31.0, 31.0, 31.0],
            0.5,
            Some((2, Bend::LevelsOff)),
        );
        check(
            &loads,
            &[5.0, 5.0, 5.0, 5.0, 20.0, 40.0],
            0.5,
            Some((3, Bend::TakesOff)),
        );
        check(
            &loads,
            &[40.0, 20.0, 5.0, 4.0, 3.0, 3.0],
            0.5,
            Some((2, Bend::LevelsOff)),
        );
        check(
            &loads,
            &[40.0, 40.0, 40.0, 39.0, 20.0, 3.0],
            0.5,
            Some((3, Bend::TakesOff)),
        );
    }

    #[test]
    fn a_line_over_logarithms_has_none_though_its_settings_are_rounded() {
        let settings = [2.0, 10.0, 51.0, 256.0];
        let line: Vec<f64> = settings.iter().map(|setting: &f64| setting.ln()).collect();
        assert_eq!(of(&settings, &curve(&line, 0.0), Axis::Log), None);
        // Nor has a line over the settings themselves.
        assert_eq!(of(&settings, &curve(&settings, 0.0), Axis::Log), None);
        let late = [5.0, 5.0, 6.0, 400.0];
        assert_eq!(
            of(&settings, &curve(&late, 0.0), Axis::Log).map(|knee| knee.bend),
            Some(Bend::TakesOff)
        );
    }

    #[test]
    fn an_axis_is_told_by_its_settings_though_they_are_rounded() {
        let axis = |settings: &[f64]| Axis::of(settings);
        assert_eq!(axis(&[64.0, 128.0, 256.0, 512.0]), Axis::Log);
        assert_eq!(axis(&[2.0, 10.0, 51.0, 256.0]), Axis::Log);
        assert_eq!(axis(&[0.1, 0.2, 0.4, 0.8]), Axis::Log);
        assert_eq!(axis(&[2.0, 12.0, 22.0, 32.0]), Axis::Even);
        assert_eq!(axis(&[1.0, 2.0, 3.0, 4.0]), Axis::Even);
        assert_eq!(axis(&[0.0, 2.0, 4.0, 8.0]), Axis::Even);
        assert_eq!(axis(&[1.0, 2.0, 4.0, 50.0]), Axis::Even);
    }

    #[test]
    fn a_line_or_noise_has_none() {
        let loads = [1.0, 2.0, 3.0, 4.0, 5.0];
        check(&loads, &[1.0, 2.0, 3.0, 4.0, 5.0], 0.0, None);
        check(&loads, &[7.0, 7.0, 7.0, 7.0, 7.0], 0.0, None);
        // It bends, by half a hundredth of what it is.
        check(&loads, &[100.0, 100.5, 100.5, 100.5, 100.5], 0.0, None);
        check(&loads, &[10.0, 10.4, 9.9, 10.1, 10.0], 0.6, None);
        // Its ends are not known well enough.
        check(&loads, &[10.0, 20.0, 20.0, 20.0, 20.0], 8.0, None);
        check(&loads[..3], &[1.0, 9.0, 9.0], 0.0, None);
        // A line over logarithms is a line.
        check(
            &[1.0, 2.0, 4.0, 8.0, 16.0],
            &[1.0, 2.0, 3.0, 4.0, 5.0],
            0.0,
            None,
        );
    }
}
