//! `ringside simulate [--data FOLDER] [--to OUT] SCENARIO`: runs a scenario, prints what was measured,
//! and writes the run as kperf 2 where asked.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use ringside::export::kperf2;
use ringside::run::measured::Measured;
use sim::engine::simulate;

use crate::{Failure, complain, data, options, output};

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options::read(arguments, &["--data", "--to"], &[])?;
    let [name] = options.files[..] else {
        return Err(Failure::Usage("simulate which scenario?".to_owned()));
    };
    let fail = |why: String| {
        complain(&format!("{name}: {why}"));
        Failure::Import
    };
    let catalogue = data::catalogue(options.data).map_err(fail)?;
    if let Some(to) = options.value("--to") {
        let is_file = catalogue.scenario(name).is_none();
        output::spare(to, is_file.then_some((Path::new(name), "scenario")))?;
        data::spare(to, options.data)?;
    }
    let scenario = data::scenario(name, &catalogue).map_err(fail)?;
    let simulated =
        simulate(&scenario, &catalogue, options.value("--to").is_some()).map_err(fail)?;
    if let (Some(path), Some(run)) = (options.value("--to"), &simulated.run) {
        whole::write_file(path, |output| kperf2(run, output)).map_err(Failure::Output)?;
    }
    let text = picture(&simulated.measured);
    output::stdout(false)
        .write_all(text.as_bytes())
        .map_err(Failure::Output)
}

/// What was measured, for people.
fn picture(measured: &Measured) -> String {
    let mut text = String::new();
    let kbit = measured.throughput_kbit();
    let all = measured.elapsed_fs.max(1) * u64::from(measured.cpus);
    let percent = |fs: u64| fs as f64 * 100.0 / all as f64;
    let busy = measured.busy_fs().max(1);
    let _ = writeln!(
        text,
        "throughput     {}.{:03} Mbit/s",
        kbit / 1000,
        kbit % 1000
    );
    for (name, fs) in [
        ("user", measured.user_fs),
        ("kernel", measured.kernel_fs),
        ("softirq", measured.softirq_fs),
        ("hardirq", measured.hardirq_fs),
        ("spinning", measured.spinning_fs),
        ("idle", all - measured.busy_fs()),
    ] {
        let _ = writeln!(text, "{name:<14} {:.2} %", percent(fs));
    }
    let _ = writeln!(text, "lines moved    {}", measured.lines_moved);
    let _ = writeln!(text, "switches       {}", measured.switches);
    if measured.connections + measured.connections_failed > 0 {
        let _ = writeln!(
            text,
            "connections    {} ({} failed)",
            measured.connections, measured.connections_failed
        );
    }
    for (name, call) in measured.calls.iter().filter(|(_, call)| call.calls > 0) {
        let us = call.fs as f64 / call.calls as f64 / 1e9;
        let _ = writeln!(text, "{name:<14} {us:.2} us ({} calls)", call.calls);
    }
    let _ = writeln!(
        text,
        "events         {} ({} steps)",
        measured.events, measured.steps
    );
    let mut functions: Vec<_> = measured.functions.iter().collect();
    functions.sort_by_key(|(_, time)| std::cmp::Reverse(time.fs));
    for (name, time) in functions.iter().take(12) {
        let share = time.fs as f64 * 100.0 / busy as f64;
        let _ = writeln!(
            text,
            "{share:6.2} %  {name}  calls {}  lines {}",
            time.calls, time.lines
        );
    }
    text
}
