//! Times as a user writes them, with or without a unit.

/// A time as the user wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Nanoseconds on the trace's clock.
    OnClock(u64),
    /// Nanoseconds since its first event.
    SinceStart(u64),
}

impl Moment {
    /// Reads `27120150000`, `27.12015s` or `+1.5ms`. The error says what a time looks like: a fraction without a unit is
    /// one of seconds to who copies it from a trace, and would be one of a nanosecond.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("\"{text}\" is no time such as 27120150000, 27.12015s or +1.5ms");
        let (is_relative, amount) = match text.strip_prefix('+') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let units = [("ns", 0), ("us", 3), ("µs", 3), ("ms", 6), ("s", 9)];
        let of_unit = units
            .iter()
            .find_map(|&(unit, digits)| Some((amount.strip_suffix(unit)?, digits)));
        let (number, digits) = of_unit.unwrap_or((amount, 0));
        let nanos = scaled(number, digits).ok_or_else(wrong)?;
        if of_unit.is_none() && number.contains('.') {
            return Err(format!(
                "{text} has no unit: say {text}s, {text}ms, {text}us or {text}ns"
            ));
        }
        Ok(if is_relative {
            Self::SinceStart(nanos)
        } else {
            Self::OnClock(nanos)
        })
    }
}

/// A decimal number times a power of ten, exactly; finer digits are cut.
fn scaled(number: &str, digits: u32) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let places = digits as usize;
    let kept = &fraction[..fraction.len().min(places)];
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    let fraction: u64 = format!("{kept:0<places$}").parse().unwrap_or(0);
    whole.checked_mul(10u64.pow(digits))?.checked_add(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_exactly() {
        let moments = [
            ("27120150000", Some(Moment::OnClock(27_120_150_000))),
            ("27.12015s", Some(Moment::OnClock(27_120_150_000))),
            ("+1.5ms", Some(Moment::SinceStart(1_500_000))),
            ("+1500us", Some(Moment::SinceStart(1_500_000))),
            ("12.3456789012s", Some(Moment::OnClock(12_345_678_901))),
            ("1.5ns", Some(Moment::OnClock(1))),
            ("1.5", None),
            ("", None),
            ("-5", None),
            ("ms", None),
            ("1e9", None),
            ("99999999999999999999", None),
        ];
        for (text, moment) in moments {
            assert_eq!(Moment::parse(text).ok(), moment, "{text}");
        }
    }
}
