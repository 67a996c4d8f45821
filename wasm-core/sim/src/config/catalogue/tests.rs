//! Every file that is shipped can be read and says where its numbers come from; a
//! wrong scenario is refused with the field's name and what it may be.

use expect_test::{Expect, expect};

use super::*;
use crate::config::field_path::{at, is_below, leaves};
use crate::config::kernel::Step;
use crate::config::settings::SETTINGS;
use ringside::kernel::Probe;

mod as_in;
mod instrumented;
mod own;

fn shipped() -> Catalogue {
    Catalogue::shipped().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_file_of_the_folders_is_listed() {
    for (folder, files) in [
        ("machines", MACHINES),
        ("kernels", KERNELS),
        ("instrumentation", INSTRUMENTATION),
        ("workloads", WORKLOADS),
        ("scenarios", SCENARIOS),
    ] {
        let mut found: Vec<String> = std::fs::read_dir(format!("../data/{folder}"))
            .unwrap()
            .map(|entry| format!("data/{folder}/{}", entry.unwrap().file_name().display()))
            .collect();
        let mut listed: Vec<String> = files.iter().map(|(file, _)| (*file).to_owned()).collect();
        found.sort();
        listed.sort();
        assert_eq!(found, listed);
    }
}

#[test]
fn a_shipped_scenario_is_the_same_after_a_round_trip() {
    let catalogue = shipped();
    for shipped in catalogue.scenarios() {
        let text = shipped.scenario.to_json();
        let again = Scenario::parse(&text, &catalogue).unwrap();
        assert_eq!((&again, again.to_json()), (&shipped.scenario, text));
    }
}

#[test]
fn every_parameter_has_a_source() {
    let mut files = merged(&values(MACHINES, "machines", &[]).unwrap()).unwrap();
    files.extend(merged(&values(KERNELS, "kernels", &[]).unwrap()).unwrap());
    files.extend(values(WORKLOADS, "workloads", &[]).unwrap());
    for mut named in files {
        let sources = named.fields.remove("sources").unwrap();
        for word in ["name", "title", "about"] {
            named.fields.remove(word);
        }
        let mut parameters = Vec::new();
        leaves(&Value::Object(named.fields), "", &mut parameters);
        let sources = sources.as_object().unwrap();
        for path in &parameters {
            assert!(
                sources.keys().any(|source| is_below(path, source)),
                "{}: {path} has no source",
                named.file
            );
        }
        for source in sources.keys() {
            assert!(
                parameters.iter().any(|path| is_below(path, source)),
                "{}: no parameter {source}",
                named.file
            );
        }
    }
}

#[test]
fn what_a_file_changes_of_its_base_has_a_source_of_its_own() {
    let mut lacking = Vec::new();
    let mut kernels = Vec::new();
    for (folder, files) in [("machines", MACHINES), ("kernels", KERNELS)] {
        let files = values(files, folder, &[]).unwrap();
        let whole = merged(&files).unwrap();
        let complete = |name: &str| &whole.iter().find(|it| it.name == name).unwrap().fields;
        for named in &files {
            if let Some(base) = named.fields.get("based_on").and_then(Value::as_str) {
                lacking.extend(without_source(named, complete(base), complete(&named.name)));
            }
        }
        kernels = whole;
    }
    for named in values(INSTRUMENTATION, "instrumentation", &[]).unwrap() {
        let first = named.fields["kernels"][0].as_str();
        let kernel = kernels.iter().find(|it| Some(it.name.as_str()) == first);
        let with = on_a_kernel(&named, &kernels).unwrap();
        lacking.extend(without_source(
            &named,
            &kernel.unwrap().fields,
            &with.fields,
        ));
    }
    assert_eq!(lacking, Vec::<String>::new());
}

/// What differs from a base and has no source in the file itself.
fn without_source(
    named: &Named,
    base: &Map<String, Value>,
    complete: &Map<String, Value>,
) -> Vec<String> {
    let mut fields = complete.clone();
    for word in ["name", "title", "about", "sources"] {
        fields.remove(word);
    }
    let mut changed = Vec::new();
    leaves(&Value::Object(fields), "", &mut changed);
    changed.retain(|path| at(base, path) != at(complete, path));
    let has_source = |path: &String| {
        let mut own = named.fields["sources"].as_object().unwrap().iter();
        own.any(|(source, said)| !said.is_null() && is_below(path, source))
    };
    changed.retain(|path| !has_source(path));
    changed
        .iter()
        .map(|path| format!("{} {path}", named.name))
        .collect()
}

#[test]
fn a_kernel_is_based_on_an_older_one() {
    let version = |name: &str| -> Vec<u32> {
        let numbers = name.split('-').next().unwrap().split('.');
        numbers.map(|number| number.parse().unwrap()).collect()
    };
    for named in values(KERNELS, "kernels", &[]).unwrap() {
        if let Some(base) = named.fields.get("based_on").and_then(Value::as_str) {
            let is_older = version(base) <= version(&named.name);
            assert!(is_older, "{} is based on {base}", named.name);
        }
    }
}

#[test]
fn a_step_names_objects_and_probes_that_exist() {
    let catalogue = shipped();
    let drivers: Vec<(String, &[Step])> = catalogue
        .machines
        .values()
        .flat_map(|machine| {
            machine
                .nics
                .iter()
                .map(|nic| (nic.model.clone(), &nic.driver))
        })
        .flat_map(|(model, driver)| {
            [
                &driver.interrupt,
                &driver.round,
                &driver.receive,
                &driver.refill,
                &driver.transmit,
                &driver.transmit_done,
            ]
            .map(|steps| (model.clone(), steps.as_slice()))
        })
        .collect();
    for kernel in catalogue.kernels.values() {
        let own = kernel
            .paths
            .iter()
            .map(|(path, steps)| (path.clone(), steps.as_slice()));
        for (path, steps) in own.chain(drivers.clone()) {
            for Step {
                function,
                reads,
                writes,
                probe,
                ..
            } in steps
            {
                for object in reads.iter().chain(writes) {
                    let is_known =
                        kernel.objects.contains_key(object) || object == "data" || object == "user";
                    assert!(is_known, "{} {path} {function}: {object}", kernel.name);
                }
                if let Some(probe) = probe {
                    assert!(
                        Probe::from_name(probe).is_some(),
                        "{} {path}: {probe}",
                        kernel.name
                    );
                }
            }
        }
    }
}

#[test]
fn a_kernel_says_only_what_differs_from_its_base() {
    let patch = |target: &str, patch: &str| {
        let mut target: Value = serde_json::from_str(target).unwrap();
        merge(&mut target, &serde_json::from_str(patch).unwrap());
        target.to_string()
    };
    expect![[r#"{"a":{"b":3,"d":1},"e":[9]}"#]].assert_eq(&patch(
        r#"{"a":{"b":1,"c":2},"e":[1,2]}"#,
        r#"{"a":{"b":3,"c":null,"d":1},"e":[9]}"#,
    ));
}

fn check_error(text: &str, expected: &Expect) {
    let error = Scenario::parse(text, &shipped()).unwrap_err();
    expected.assert_eq(&error.to_string());
}

/// A good scenario with these settings.
fn with(settings: &str) -> String {
    format!(
        r#"{{"machine":"xeon-3.2-dual","kernel":"2.6.3","workload":"iperf","settings":{settings},"duration_us":1000,"seed":1}}"#
    )
}

#[test]
fn a_wrong_name_is_answered_with_the_names() {
    let catalogue = shipped();
    for (wrong, field, names) in [
        (
            with("{}").replace("xeon-3.2-dual", "cray"),
            "machine",
            catalogue.machine_names(),
        ),
        (
            with("{}").replace("2.6.3", "cray"),
            "kernel",
            catalogue.kernel_names(),
        ),
        (
            with(r#"{"peer":"cray"}"#),
            "settings.peer",
            catalogue.machine_names(),
        ),
    ] {
        let error = Scenario::parse(&wrong, &catalogue).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{field} is \"cray\", must be one of {}", names.join(", "))
        );
    }
    check_error(
        &with(r#"{"copy":"memcpy"}"#),
        &expect![[r#"settings.copy is "memcpy", must be one of movsd, integer"#]],
    );
    check_error(
        &with(r#"{"irq_affinity":"cpuX"}"#),
        &expect![[
            r#"settings.irq_affinity is "cpuX", must be "spread", "fixed" or "cpu0" to "cpu63""#
        ]],
    );
}

#[test]
fn a_wrong_number_is_answered_with_the_range() {
    check_error(
        &with(r#"{"message_bytes":0}"#),
        &expect!["settings.message_bytes is 0, must be a whole number from 1 to 16,777,216"],
    );
    check_error(
        &with(r#"{"connections":1.5}"#),
        &expect!["settings.connections is 1.5, must be a whole number from 1 to 4,096"],
    );
    check_error(
        &with(r#"{"cpus":3}"#),
        &expect!["settings.cpus is 3, must be a whole number from 1 to 2"],
    );
    check_error(
        &with(r#"{"cpus":1,"process_cpus":2}"#),
        &expect!["settings.process_cpus is 2, must be a whole number from 1 to 1"],
    );
    check_error(
        &with(r#"{"irq_affinity":"cpu9"}"#),
        &expect![[r#"settings.irq_affinity is "cpu9", must be "cpu0" to "cpu1" here"#]],
    );
    check_error(
        &with(r#"{"gro":1}"#),
        &expect!["settings.gro is 1, must be true or false"],
    );
    check_error(
        &with("{}").replace("1000", "0"),
        &expect!["duration_us is 0, must be a whole number from 1 to 60,000,000"],
    );
    check_error(
        &with("{}").replace(r#""seed""#, r#""warmup_us":1000,"seed""#),
        &expect!["warmup_us is 1000, must be a whole number from 0 to 999"],
    );
}

#[test]
fn a_wrong_field_is_answered_with_the_fields() {
    let known: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
    let error = Scenario::parse(&with(r#"{"mesage_bytes":8}"#), &shipped()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "unknown field settings.mesage_bytes; known are {}",
            known.join(", ")
        )
    );
    check_error(
        &with("{}").replace("seed", "sead"),
        &expect![
            "unknown field sead; known are machine, kernel, instrumentation, workload, settings, duration_us, warmup_us, seed, faults"
        ],
    );
    check_error(
        &with("{}").replace(r#""kernel":"2.6.3","#, ""),
        &expect!["kernel is missing"],
    );
    check_error(
        &with("7"),
        &expect!["settings is 7, must be an object of settings"],
    );
    check_error(
        &with(r#"{"nics":2}"#),
        &expect!["settings.nics is 2, must be a whole number from 1 to 1"],
    );
    check_error(
        &with("{}").replace(r#""seed""#, r#""seed":2,"seed""#),
        &expect!["not a scenario in JSON: seed stands twice at line 1 column 114"],
    );
    check_error(
        "[",
        &expect!["not a scenario in JSON: EOF while parsing a list at line 1 column 1"],
    );
}

#[test]
fn a_wrong_fault_is_answered_with_its_place_and_what_may_stand_there() {
    let faults = |faults: &str| {
        let text = with("{}").replace(r#""seed""#, &format!(r#""faults":{faults},"seed""#));
        match Scenario::parse(&text, &shipped()) {
            Ok(_) => "taken\n".to_owned(),
            Err(error) => error.to_string() + "\n",
        }
    };
    let answers: String = [
        r#"[{"at_us":1000,"do":"steal_cpu","cpu":1,"us":5}]"#,
        r#"{"at_us":1}"#,
        "[7]",
        r#"[{"at_us":1}]"#,
        r#"[{"at_us":1,"do":"explode"}]"#,
        r#"[{"at_us":1,"do":"drop_frame"},{"at_us":1001,"do":"drop_frame"}]"#,
        r#"[{"at_us":1,"do":"delay_frame"}]"#,
        r#"[{"at_us":1,"do":"delay_frame","us":-1}]"#,
        r#"[{"at_us":1,"do":"drop_frame","us":1}]"#,
        r#"[{"at_us":1,"do":"steal_cpu","cpu":2,"us":5}]"#,
        r#"[{"at_us":1,"do":"pin_interrupts","cpu":2}]"#,
        r#"[{"at_us":1,"at_ns":1000,"do":"drop_frame"}]"#,
        r#"[{"at_us":1,"do":"drop_frame","sent":1}]"#,
        r#"[{"at_us":1,"do":"steal_cpu","cpu":0,"us":5,"sent":true}]"#,
    ]
    .iter()
    .map(|text| faults(text))
    .collect();
    expect![[r#"
        taken
        faults is {"at_us":1}, must be a list of at most 32 faults
        faults.0 is 7, must be an object
        faults.0.do is missing
        faults.0.do is "explode", must be one of drop_frame, duplicate_frame, delay_frame, reorder_frame, damage_frame, steal_cpu, set_ring, pin_interrupts, pin_queue, stop_task
        faults.1.at_us is 1001, must be a whole number from 0 to 1,000
        faults.0.us is missing
        faults.0.us is -1, must be a whole number from 1 to 1,000,000
        unknown field faults.0.us; known are at_us, at_ns, do, sent
        faults.0.cpu is 2, must be a whole number from 0 to 1
        faults.0.cpu is 2, must be a whole number from 0 to 1
        faults.0.at_ns is 1000, must be a whole number from 0 to 999
        faults.0.sent is 1, must be true or false
        unknown field faults.0.sent; known are at_us, at_ns, do, cpu, us
    "#]].assert_eq(&answers);
}

/// The schema of a kind of data file, as `wasm-core/data/schema` publishes it.
fn check_schema(name: &str, schema: &schemars::Schema) {
    let text = serde_json::to_string_pretty(schema).unwrap() + "\n";
    expect_test::expect_file![format!("../../../../data/schema/{name}.json")].assert_eq(&text);
}

#[test]
fn the_published_schemas_are_those_of_the_code() {
    check_schema("machine", &schemars::schema_for!(Machine));
    check_schema("kernel", &schemars::schema_for!(Kernel));
    check_schema("instrumentation", &schemars::schema_for!(Instrumentation));
    check_schema("workload", &schemars::schema_for!(Workload));
    check_schema("scenario", &schemars::schema_for!(Scenario));
}
