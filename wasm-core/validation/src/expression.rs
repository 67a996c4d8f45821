//! Expressions over what runs measured: `throughput_mbit@smp / throughput_mbit@up - 1`.
//!
//! ```text
//! expression = sum [("<" | ">" | "<=" | ">=" | "==") sum]   a comparison is 1 or 0
//! sum        = product {("+" | "-") product}
//! product    = factor {("*" | "/") factor}
//! factor     = number | "(" expression ")" | "-" factor
//!            | ("max" | "min" | "mean" | "round" | "linearity") "(" expression {"," expression} ")"
//!            | "cell" "(" place ")"                      a published number of the entry
//!            | quantity ["(" word {"," word} ")"] ["@" run]
//! ```
//! A word or a run that is more than letters, digits, `_`, `-`, `.` stands in `'...'`.

mod parse;

use serde_json::Value;

use super::quantity::Quantity;

/// A parsed expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    /// A constant.
    Number(f64),
    /// A published number of the same entry, by its place.
    Cell(String),
    /// Something measured.
    Measured {
        quantity: Quantity,
        words: Vec<String>,
        /// The run's scenario; none: the item's.
        run: Option<String>,
    },
    /// Two put together.
    Pair(Operator, Box<Expression>, Box<Expression>),
    /// Many put together.
    Of(Function, Vec<Expression>),
}

/// What puts two together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Plus,
    Minus,
    Times,
    Over,
    Below,
    Above,
    AtMost,
    AtLeast,
    Equal,
}

impl Operator {
    fn of(self, left: f64, right: f64) -> f64 {
        let truth = |is_so: bool| f64::from(u8::from(is_so));
        match self {
            Self::Plus => left + right,
            Self::Minus => left - right,
            Self::Times => left * right,
            Self::Over => left / right,
            Self::Below => truth(left < right),
            Self::Above => truth(left > right),
            Self::AtMost => truth(left <= right),
            Self::AtLeast => truth(left >= right),
            Self::Equal => truth((left - right).abs() < 1e-9),
        }
    }
}

/// What puts many together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    /// The largest.
    Max,
    /// The least.
    Min,
    /// The mean.
    Mean,
    /// The first, as a whole number.
    Round,
    /// How much of the second of each two a straight line over the first explains (R²).
    Linearity,
}

impl Function {
    fn of(self, values: &[f64]) -> f64 {
        match self {
            Self::Max => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            Self::Min => values.iter().copied().fold(f64::INFINITY, f64::min),
            Self::Mean => values.iter().sum::<f64>() / values.len() as f64,
            Self::Round => values.first().copied().unwrap_or(0.0).round(),
            Self::Linearity => linearity(values),
        }
    }
}

fn linearity(values: &[f64]) -> f64 {
    let points: Vec<(f64, f64)> = values.chunks_exact(2).map(|two| (two[0], two[1])).collect();
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in points {
        xx += (x - mean_x) * (x - mean_x);
        xy += (x - mean_x) * (y - mean_y);
        yy += (y - mean_y) * (y - mean_y);
    }
    xy * xy / (xx * yy)
}

/// Where measured values come from.
pub(super) type Source<'a> =
    dyn FnMut(Quantity, &[String], Option<&str>) -> Result<f64, String> + 'a;

impl Expression {
    /// Reads an expression. The error says where it stops making sense.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        parse::parse(text)
    }

    /// Its value with an entry's published numbers and measured ones from `source`.
    pub(super) fn value(&self, numbers: &Value, source: &mut Source) -> Result<f64, String> {
        let value = match self {
            Self::Number(number) => *number,
            Self::Cell(place) => numbers
                .pointer(place)
                .and_then(Value::as_f64)
                .ok_or_else(|| format!("no number at {place:?}"))?,
            Self::Measured {
                quantity,
                words,
                run,
            } => source(*quantity, words, run.as_deref())?,
            Self::Pair(operator, left, right) => {
                operator.of(left.value(numbers, source)?, right.value(numbers, source)?)
            }
            Self::Of(function, parts) => {
                let values = parts.iter().map(|part| part.value(numbers, source));
                function.of(&values.collect::<Result<Vec<_>, _>>()?)
            }
        };
        if value.is_finite() {
            Ok(value)
        } else {
            Err("nothing to divide by was measured".to_owned())
        }
    }

    /// The value of an expression of published numbers only.
    pub(super) fn of_cells(&self, numbers: &Value) -> Result<f64, String> {
        let refuse = |_: Quantity, _: &[String], _: Option<&str>| {
            Err("a published number is not measured".to_owned())
        };
        self.value(numbers, &mut { refuse })
    }

    /// The places of published numbers in it.
    pub(super) fn cells(&self) -> Vec<String> {
        match self {
            Self::Cell(place) => vec![place.clone()],
            Self::Number(_) | Self::Measured { .. } => Vec::new(),
            Self::Pair(_, left, right) => [left.cells(), right.cells()].concat(),
            Self::Of(_, parts) => parts.iter().flat_map(Self::cells).collect(),
        }
    }

    /// Whether it only says again what was put into the model: nothing in it comes of a run.
    pub(super) fn restates(&self) -> bool {
        match self {
            Self::Measured {
                quantity, words, ..
            } => quantity.restates(words),
            Self::Number(_) | Self::Cell(_) => true,
            Self::Pair(_, left, right) => left.restates() && right.restates(),
            Self::Of(_, parts) => parts.iter().all(Self::restates),
        }
    }

    /// Each measured quantity with the scenario that it is of.
    pub(super) fn measured(&self) -> Vec<(Quantity, Option<&str>)> {
        match self {
            Self::Measured { quantity, run, .. } => vec![(*quantity, run.as_deref())],
            Self::Number(_) | Self::Cell(_) => Vec::new(),
            Self::Pair(_, left, right) => [left.measured(), right.measured()].concat(),
            Self::Of(_, parts) => parts.iter().flat_map(Self::measured).collect(),
        }
    }
}
