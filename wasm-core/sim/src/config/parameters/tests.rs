//! Values, references between files, what a source is worth, and what is refused.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{Fields, parameters};

#[test]
fn a_step_has_one_name_in_sources_and_references() {
    let with = |path: &str, to: &str| {
        let steps = json!([{ "function": "rcv", "cycles": 1 }]);
        told(&json!({ "kernels/a": {
            "paths": { "in": steps, "out": steps },
            "sources": { path: { "derived_from": [to] } },
        } }))
    };
    let answers = [
        with("paths.in.rcv.cycles", ":paths.out.rcv.cycles"),
        with("paths.in.0.cycles", ":paths.out"),
        with("paths.in.rcv", ":paths.out.0.cycles"),
    ];
    expect![[r#"
        kernels/a paths.in.rcv.cycles = 1 derived []
        kernels/a: sources.paths.in.0.cycles: its step is called paths.in.rcv.cycles
        kernels/a: sources.paths.in.rcv: :paths.out.0.cycles is called paths.out.rcv.cycles
    "#]]
    .assert_eq(&answers.concat());
}

/// One line a parameter.
fn told(files: &Value) -> String {
    let fields: Fields = files
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, fields)| (name.clone(), fields.as_object().unwrap()))
        .collect();
    let read = match parameters(&fields) {
        Ok(read) => read,
        Err((file, why)) => return format!("{file}: {why}\n"),
    };
    let mut lines = String::new();
    for (file, parameters) in read {
        for one in parameters {
            let fits: Vec<&str> = one.worth.fits.iter().map(|fit| fit.0.as_str()).collect();
            let standing = one.worth.standing.name();
            let line = format!("{file} {} = {} {standing} {fits:?}\n", one.path, one.value);
            lines += &line;
        }
    }
    lines
}

fn check(files: &Value, expected: &Expect) {
    expected.assert_eq(&told(files));
}

#[test]
fn a_parameter_has_its_value_and_a_group_none() {
    check(
        &json!({ "machines/a": {
            "clock": { "khz": 500_000, "is_stable": true },
            "nics": [{ "rate_mbit": 100 }],
            "sources": {
                "clock": "data sheet",
                "clock.khz": { "standing": "guessed", "range": [400_000, 600_000] },
                "clock.is_stable": { "text": "a timer", "standing": "measured" },
                "nics.0.rate_mbit": { "fitted_to": ["ba.t5", "ba.fig5 UNI"] },
            },
        } }),
        &expect![[r#"
            machines/a clock =  read []
            machines/a clock.is_stable = yes measured []
            machines/a clock.khz = 500000 guessed []
            machines/a nics.0.rate_mbit = 100 fitted ["ba.fig5 UNI", "ba.t5"]
        "#]],
    );
}

#[test]
fn a_fit_goes_on_to_what_rests_on_it() {
    let paths = json!({ "read": [1], "write": [2] });
    check(
        &json!({
            "kernels/new": {
                "paths": paths.clone(),
                "speed": 3,
                "sources": {
                    "paths": { "derived_from": ["kernels/old"] },
                    "paths.read": { "same_as": "kernels/old" },
                    "paths.write": { "text": "and a lock", "derived_from": [":paths.read"] },
                    "speed": { "standing": "guessed", "range": [1, 6], "derived_from": ["kernels/old:rate"] },
                },
            },
            "kernels/old": {
                "paths": paths,
                "rate": 4,
                "sources": {
                    "paths": "fs/read_write.c",
                    "paths.read": { "fitted_to": ["ba.t1"] },
                    "rate": { "text": "halved", "standing": "derived" },
                },
            },
        }),
        &expect![[r#"
            kernels/new paths =  fitted ["ba.t1"]
            kernels/new paths.read =  fitted ["ba.t1"]
            kernels/new paths.write =  fitted ["ba.t1"]
            kernels/new speed = 3 guessed []
            kernels/old paths =  read []
            kernels/old paths.read =  fitted ["ba.t1"]
            kernels/old rate = 4 derived []
        "#]],
    );
}

#[test]
fn what_goes_round_in_a_circle_ends() {
    check(
        &json!({ "machines/a": {
            "x": 1,
            "y": 1,
            "sources": { "x": { "same_as": ":y" }, "y": { "same_as": ":x", "fitted_to": ["ah.t1"] } },
        } }),
        &expect![[r#"
            machines/a x = 1 fitted ["ah.t1"]
            machines/a y = 1 fitted ["ah.t1"]
        "#]],
    );
}

#[test]
fn a_wrong_source_is_answered_with_its_file_and_path() {
    let with = |source: Value| {
        told(&json!({ "machines/a": { "x": 1, "y": 2, "sources": { "x": source } } }))
    };
    let mut answers = told(&json!({ "machines/a": { "sources": { "gone.x": "there" } } }));
    for wrong in [
        json!({ "same_as": ":y" }),
        json!({ "same_as": ":x" }),
        json!({ "same_as": "machines/b" }),
        json!({ "derived_from": [":z"] }),
        json!({ "standing": "guessed" }),
        json!({ "standing": "guessed", "range": [2, 3] }),
        json!({ "standing": "guessed", "range": [1] }),
        json!({ "standing": "believed" }),
        json!({ "sourse": "x" }),
        json!(7),
    ] {
        answers += &with(wrong);
    }
    expect![[r#"
        machines/a: sources: there is no gone.x that it could be the source of
        machines/a: sources.x: not the same as :y
        machines/a: sources.x: points to itself
        machines/a: sources.x: there is no machines/b
        machines/a: sources.x: there is no :z
        machines/a: sources.x: guessed, and no range says within what
        machines/a: sources.x: 1 is not in the range 2 to 3
        machines/a: sources.x: 1 is not one of the range of several
        machines/a: sources.x: unknown variant `believed`, expected one of `read`, `measured`, `derived`, `chosen`, `guessed`, `fitted`
        machines/a: sources.x: unknown field `sourse`, expected one of `text`, `standing`, `fitted_to`, `serves_only`, `range`, `same_as`, `derived_from`
        machines/a: sources.x: 7 is neither a text nor an object
    "#]]
    .assert_eq(&answers);
}
