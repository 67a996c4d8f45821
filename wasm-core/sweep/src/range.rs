//! The values of a setting, as they are written on the command line.
//!
//! `64,256,1024` is a list (of numbers, or of words such as `none,spread`), `100..1500:200` goes
//! by steps, `64..4096:*2` by factors; both ends are included where a step meets them.

use serde_json::Value;

/// More values than anybody waits for: a slip of the pen.
pub const MOST_VALUES: usize = 10_000;

/// Reads a range. The error says what is wrong with it.
pub fn parse(text: &str) -> Result<Vec<Value>, String> {
    let values = match text.split_once("..") {
        Some((start, rest)) => steps(start, rest)?.into_iter().map(Value::from).collect(),
        None => text
            .split(',')
            .map(|word| value(word.trim()))
            .collect::<Result<Vec<_>, _>>()?,
    };
    for (at, value) in values.iter().enumerate() {
        if values[..at].contains(value) {
            return Err(format!("{value} is there twice"));
        }
    }
    Ok(values)
}

/// Whole numbers of a range, for seeds.
pub fn whole(text: &str) -> Result<Vec<u64>, String> {
    let number = |value: Value| {
        value
            .as_u64()
            .ok_or_else(|| format!("{value} is no whole number"))
    };
    parse(text)?.into_iter().map(number).collect()
}

fn value(word: &str) -> Result<Value, String> {
    match word {
        "" => Err("an empty place in the list".to_owned()),
        "true" => Ok(Value::Bool(true)),
        "false" => Ok(Value::Bool(false)),
        word => Ok(word
            .parse::<u64>()
            .map_or_else(|_| Value::from(word), Value::from)),
    }
}

fn steps(start: &str, rest: &str) -> Result<Vec<u64>, String> {
    let number = |text: &str| {
        let trimmed = text.trim();
        trimmed
            .parse::<u64>()
            .map_err(|_| format!("\"{trimmed}\" is no whole number"))
    };
    let (end, step) = rest.split_once(':').unwrap_or((rest, "1"));
    let (start, end) = (number(start)?, number(end)?);
    let (factor, step) = match step.trim().strip_prefix('*') {
        Some(factor) => (number(factor)?, 0),
        None => (1, number(step)?),
    };
    if end < start {
        return Err(format!("the end {end} is below the start {start}"));
    }
    if factor < 2 && step == 0 || factor > 1 && start == 0 {
        return Err("its steps lead nowhere".to_owned());
    }
    let next = |&at: &u64| at.checked_mul(factor)?.checked_add(step);
    let values: Vec<u64> = std::iter::successors(Some(start), next)
        .take_while(|&at| at <= end)
        .take(MOST_VALUES + 1)
        .collect();
    if values.len() > MOST_VALUES {
        return Err(format!("it has more than {MOST_VALUES} values"));
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let said = parse(text).map_or_else(
            |why| format!("error: {why}"),
            |values| Value::from(values).to_string(),
        );
        assert_eq!(said, expected, "{text}");
    }

    #[test]
    fn lists_steps_and_factors() {
        check("64, 256,1024", "[64,256,1024]");
        check("none,spread", r#"["none","spread"]"#);
        check("true,false", "[true,false]");
        check("100..500:200", "[100,300,500]");
        check("1..4", "[1,2,3,4]");
        check("64..600:*2", "[64,128,256,512]");
        check("7", "[7]");
    }

    #[test]
    fn a_wrong_range_says_what_is_wrong() {
        check("4..2:1", "error: the end 2 is below the start 4");
        check("1..9:0", "error: its steps lead nowhere");
        check("1..9:*1", "error: its steps lead nowhere");
        check("0..9:*2", "error: its steps lead nowhere");
        check("1..x", "error: \"x\" is no whole number");
        check("1,,2", "error: an empty place in the list");
        check("1,2,1", "error: 1 is there twice");
        check("0..99999999", "error: it has more than 10000 values");
        assert_eq!(whole("1,a").unwrap_err(), "\"a\" is no whole number");
    }
}
