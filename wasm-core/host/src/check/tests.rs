//! What is written of loads that are run and predicted, or not.

use std::collections::BTreeMap;

use super::*;
use crate::check::rows::Head;
use crate::counts::Count;
use crate::loads::LOADS;
use crate::statistics::Estimate;

fn done(rate: f64) -> Done {
    let each = |value: f64| Estimate::of(&[value; 6]).unwrap();
    Done {
        rate: Some(each(rate)),
        windows: 6,
        disturbed: 3,
        done: 1,
        counts: BTreeMap::from([(Count::Switches, each(2e-6))]),
    }
}

fn predicted(rate: f64) -> Prediction {
    Prediction {
        rate,
        counts: BTreeMap::from([(Count::Switches, 1e-6)]),
    }
}

/// What is written of the first loads, and how many have failed.
fn written(is_json: bool, count: usize, means: &Means) -> (String, usize) {
    let head = Head {
        kernel: "6.18".to_owned(),
        pair: Some((0, 1)),
        line_ns: 30.0,
        line_ns_before: Some(31.0),
    };
    let mut text = Vec::new();
    let mut rows = Rows::begin(&mut text, is_json, head).unwrap();
    let failed = check(&LOADS[..count], means, &mut rows, |_| ()).unwrap();
    rows.end(Some(32.0)).unwrap();
    (String::from_utf8(text).unwrap(), failed)
}

fn means<'host>(run: Run<'host>, predict: Predict<'host>) -> Means<'host> {
    Means {
        machine: "epyc-zen4-vm",
        run: Some(run),
        predict: Some(predict),
    }
}

#[test]
fn a_load_that_fails_takes_no_other_with_it() {
    let run = |load: &Load| match load.name {
        "stream-two-cpus" => Err(Lacks::Failed("cannot measure: ENOBUFS".to_owned())),
        "stream-two-cpus-128k" => Err(Lacks::Skipped("there are too few CPUs here".to_owned())),
        _ => Ok(done(1e9)),
    };
    let means = means(&run, &|_| Ok(predicted(2e9)));
    let (text, failed) = written(true, 5, &means);
    assert_eq!(failed, 1);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&json["line_ns_before"], &json["line_ns_after"]),
        (&31.0.into(), &32.0.into())
    );
    let shown = |row: &Value| {
        let of = |name: &str| row.get(name).unwrap_or(&Value::Null).to_string();
        ["measured", "windows", "predicted", "failed", "left_out"]
            .map(of)
            .join(" ")
    };
    let rows: Vec<String> = json["loads"]
        .as_array()
        .unwrap()
        .iter()
        .map(shown)
        .collect();
    assert_eq!(
        rows,
        [
            "8.0 6 16.0 null null",
            "null null 16.0 \"cannot measure: ENOBUFS\" null",
            "8.0 6 16.0 null null",
            "null null null null \"there are too few CPUs here\"",
            "8.0 6 16.0 null null",
        ]
    );
}

#[test]
fn a_row_is_there_before_the_next_load_runs() {
    let mut text = Vec::new();
    let head = Head {
        kernel: "6.18".to_owned(),
        pair: None,
        line_ns: 0.0,
        line_ns_before: None,
    };
    let mut rows = Rows::begin(&mut text, false, head).unwrap();
    let means = means(&|_| Ok(done(1e9)), &|_| Ok(predicted(2e9)));
    check(&LOADS[..2], &means, &mut rows, |_| ()).unwrap();
    // Interrupted here.
    drop(rows);
    let text = String::from_utf8(text).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    for (line, load) in lines[2..].iter().zip(LOADS) {
        let cells: Vec<&str> = line[load.title().len()..].split_whitespace().collect();
        let expected = [
            "8.00", "8.00", "to", "8.00", "16.00", "2.00", "6", "3", "Gbit/s",
        ];
        assert_eq!(cells, expected, "{line}");
    }
}

#[test]
fn what_cannot_be_predicted_is_measured_all_the_same() {
    let (text, failed) = written(
        false,
        1,
        &means(&|_| Ok(done(1e9)), &|_| Err("no".to_owned())),
    );
    assert_eq!(failed, 1);
    assert!(
        text.contains("Gbit/s  failed: cannot predict: no\n"),
        "{text}"
    );
    assert!(text.contains(" 8.00 "), "{text}");
}

#[test]
fn what_can_neither_be_measured_nor_predicted_says_both() {
    let run = |_: &Load| Err(Lacks::Failed("cannot measure: ENOBUFS".to_owned()));
    let (text, failed) = written(false, 1, &means(&run, &|_| Err("no".to_owned())));
    assert_eq!(failed, 1);
    let why = "  failed: cannot measure: ENOBUFS; cannot predict: no\n";
    assert!(text.contains(why), "{text}");
}

#[test]
fn without_running_no_load_is_left_out() {
    let means = Means {
        machine: "epyc-zen4-vm",
        run: None,
        predict: Some(&|_| Ok(predicted(2e9))),
    };
    let (text, failed) = written(true, 9, &means);
    let json: Value = serde_json::from_str(&text).unwrap();
    let rows = json["loads"].as_array().unwrap();
    assert_eq!((rows.len(), failed), (9, 0));
    assert!(
        rows.iter()
            .all(|row| row["predicted"].is_f64() && row["measured"].is_null())
    );
}
