//! Data files of one's own: taken, or refused with file and parameter.

use expect_test::expect;

use super::*;

fn own(path: &str, text: &str) -> OwnFile {
    (path.to_owned(), text.to_owned())
}

#[test]
fn a_file_of_ones_own_stands_beside_the_shipped_ones_or_takes_their_place() {
    let faster = own(
        "machines/faster.json",
        r#"{"name":"faster","based_on":"p4-1.6","processors":{"clock_khz":3200000}}"#,
    );
    let text = MACHINES
        .iter()
        .find(|(file, _)| file.ends_with("/p4-1.6.json"))
        .map(|(_, text)| {
            text.unwrap()
                .replace("\"clock_khz\": 1600000", "\"clock_khz\": 1700000")
        })
        .unwrap();
    let with = Catalogue::with(&[faster, own("machines/p4-1.6.json", &text)]).unwrap();
    let clock = |name: &str| with.machine(name).unwrap().processors.clock_khz;
    assert_eq!((clock("faster"), clock("p4-1.6")), (3_200_000, 1_700_000));
    assert_eq!(
        with.machines().count(),
        shipped().machines().count() + 1,
        "one beside, one in place"
    );
}

#[test]
fn a_file_of_ones_own_that_cannot_be_is_refused_with_file_and_parameter() {
    let refusals: String = [
        ("machines/a.json", r#"{"name":"b"}"#),
        ("machines/a.json", r#"{"name":"a","based_on":"none"}"#),
        (
            "machines/a.json",
            r#"{"name":"a","based_on":"p4-1.6","processors":{"clock_khz":0}}"#,
        ),
        (
            "machines/a.json",
            r#"{"name":"a","based_on":"p4-1.6","cache":{"line_bytes":1}}"#,
        ),
        (
            "machines/a.json",
            r#"{"name":"a","based_on":"p4-1.6","processors":{"clock":1}}"#,
        ),
        ("kernels/k.json", "{"),
        (
            "kernels/k.json",
            r#"{"name":"k","based_on":"6.1","paths":{"gro_merge":[]}}"#,
        ),
        (
            "kernels/k.json",
            r#"{"name":"k","based_on":"6.1","paths":{"driver_receive":[]}}"#,
        ),
        (
            "kernels/k.json",
            r#"{"name":"k","based_on":"6.1","paths":{"bind":[{"function":"f","writes":["x"]}]}}"#,
        ),
        (
            "kernels/k.json",
            r#"{"name":"k","based_on":"6.1","paths":{"bind":[{"function":"f","probe":"x"}]}}"#,
        ),
        (
            "kernels/k.json",
            r#"{"name":"k","based_on":"6.1","objects":{"x":{"lines":1,"per":"host"}}}"#,
        ),
        (
            "kernels/k.json",
            r#"{"name":"k","based_on":"6.1","locks":{"kernel":"x"}}"#,
        ),
        (
            "kernels/k.json",
            r#"{"name":"k","based_on":"6.1","sources":{"tcp.x":"guessed"}}"#,
        ),
        (
            "kernels/k.json",
            r#"{"name":"k","based_on":"6.1","tick_hz":1,"tick_hz":2}"#,
        ),
        (
            "kernels/k.json",
            r#"{"name":"k","based_on":"6.1","tcp":{"prequeues":null}}"#,
        ),
        (
            "kernels/k.json",
            r#"{"name":"k","based_on":"6.1","paths":{"bind":{"after":{"f":[]}}}}"#,
        ),
        (
            "kernels/k.json",
            r#"{"name":"k","based_on":"6.1","tick_hz":300,"sources":{"tick_hz":{"standing":"guessed"}}}"#,
        ),
        (
            "machines/a.json",
            r#"{"name":"a","based_on":"p4-1.6","sources":{"cache.kib":{"standing":"guessed","range":[1,2]}}}"#,
        ),
        (
            "machines/a.json",
            r#"{"name":"a","based_on":"p4-1.6","sources":{"cache.kib":{"same_as":":cache.line_bytes"}}}"#,
        ),
    ]
    .iter()
    .map(|(path, text)| Catalogue::with(&[own(path, text)]).unwrap_err().to_string() + "\n")
    .collect();
    expect![[r#"
        data/machines/a.json: its name is "b", not that of the file
        data/machines/a.json: based on "none", which is not there
        data/machines/a.json: processors.clock_khz: 0, but 1000 to 100000000 can be modelled
        data/machines/a.json: cache.line_bytes: 1, but 16 to 256 can be modelled
        data/machines/a.json: processors.clock: unknown field `clock`, expected one of `cores`, `threads_per_core`, `busy_sibling_permille`, `clock_khz`, `core_permille`, `locked_cycles`, `ipi_ns`, `halted_ipi_ns`, `halted_send_ns`, `idle_polls`, `interrupt_ns`, `takes_turns`, `timer_exits_ns`, `noise`
        data/kernels/k.json: EOF while parsing an object at line 1 column 1
        data/kernels/k.json: paths.gro_merge: there is no path of this name
        data/kernels/k.json: paths.driver_receive: a NIC's driver has this path, not the kernel
        data/kernels/k.json: paths.bind.0: f: no object is called x
        data/kernels/k.json: paths.bind.0: f: no probe is called x
        data/kernels/k.json: objects.x: no step reads or writes it
        data/kernels/k.json: locks.kernel: no step takes x
        data/kernels/k.json: sources: there is no tcp.x that it could be the source of
        data/kernels/k.json: tick_hz stands twice at line 1 column 53
        data/kernels/k.json: tcp.prequeues: there is nothing to take away
        data/kernels/k.json: paths.bind.after.f: no step is of this function; there are inet_bind
        data/kernels/k.json: sources.tick_hz: guessed, and no range says within what
        data/machines/a.json: sources.cache.kib: 256 is not in the range 1 to 2
        data/machines/a.json: sources.cache.kib: not the same as :cache.line_bytes
    "#]].assert_eq(&refusals);
}

/// Numbers that fit their types, and with which a run would wrap, take all memory or never end.
#[test]
fn a_number_that_cannot_be_modelled_is_refused_with_its_path() {
    let refusals: String = [
        (
            "kernels/k.json",
            r#"{"name":"k","based_on":"6.1","tick_hz":0}"#,
        ),
        (
            "kernels/k.json",
            r#"{"name":"k","based_on":"6.1","paths":{"bind":{"after":{"inet_bind":[{"function":"f","cycles":4000000000}]}}}}"#,
        ),
        (
            "machines/a.json",
            r#"{"name":"a","based_on":"p4-1.6","processors":{"core_permille":0},"sources":{"processors.core_permille":"x"}}"#,
        ),
        (
            "machines/a.json",
            r#"{"name":"a","based_on":"p4-1.6","nics":[{"queues":65535}]}"#,
        ),
        (
            "machines/a.json",
            r#"{"name":"a","based_on":"p4-1.6","processors":{"ipi_ns":18446744073709551615}}"#,
        ),
        (
            "kernels/k.json",
            r#"{"name":"k","based_on":"6.18","instructions_per_line":0}"#,
        ),
        (
            "machines/a.json",
            r#"{"name":"a","based_on":"epyc-zen5-2cpu-vm","cache":{"instructions":{"kib":1048576}}}"#,
        ),
        (
            "machines/a.json",
            r#"{"name":"a","based_on":"epyc-zen5-2cpu-vm","cache":{"instructions":{"ways":0}}}"#,
        ),
    ]
    .iter()
    .map(|(path, text)| Catalogue::with(&[own(path, text)]).unwrap_err().to_string() + "\n")
    .collect();
    expect![[r#"
        data/kernels/k.json: tick_hz: 0, but 1 to 10000 can be modelled
        data/kernels/k.json: paths.bind.after.inet_bind.0.cycles: 4000000000, but at most 10000000 can be modelled
        data/machines/a.json: processors.core_permille: 0, but 1 to 1000000 can be modelled
        data/machines/a.json: nics.0.queues: 65535, but at most 256 can be modelled
        data/machines/a.json: processors.ipi_ns: 18446744073709551615, but at most 1000000000 can be modelled
        data/kernels/k.json: instructions_per_line: 0, but 1 to 64 can be modelled
        data/machines/a.json: cache.instructions.kib: 1048576, but 4 to 4096 can be modelled
        data/machines/a.json: cache.instructions.ways: 0, but 1 to 64 can be modelled
    "#]].assert_eq(&refusals);
}

/// The error of a workload in whose file the line that sets `field` is missing.
fn workload_without(name: &str, field: &str) -> String {
    let named = values(WORKLOADS, "workloads", &[]).unwrap();
    let named = named.into_iter().find(|named| named.name == name);
    let mut fields = named.unwrap().fields;
    assert!(fields.remove(field).is_some());
    fields
        .get_mut("sources")
        .and_then(Value::as_object_mut)
        .unwrap()
        .remove(field);
    let own = (
        format!("workloads/{name}.json"),
        Value::Object(fields).to_string(),
    );
    Catalogue::with(&[own]).unwrap_err().to_string()
}

#[test]
fn a_workload_has_what_its_acts_need() {
    expect!["data/workloads/host-stream.json: established is false, and no role connects"]
        .assert_eq(&workload_without("host-stream", "established"));
    expect![
        "data/workloads/connect-close.json: connect_retry_us is missing, and a role connects to one that listens"
    ]
    .assert_eq(&workload_without("connect-close", "connect_retry_us"));
    expect![
        "data/workloads/web.json: sources.file_bytes: there is no workloads/fscache:file_bytes"
    ]
    .assert_eq(&workload_without("fscache", "file_bytes"));
}

#[test]
fn headers_leave_room_for_data() {
    let wrong = |fields: &str| {
        let text = format!(r#"{{"name":"k","based_on":"6.1",{fields}}}"#);
        let own = [own("kernels/k.json", &text)];
        Catalogue::with(&own).unwrap_err().to_string()
    };
    assert_eq!(
        wrong(r#""loopback_mtu_bytes":1"#),
        "data/kernels/k.json: loopback_mtu_bytes: 1, but 128 to 65536 can be modelled"
    );
    assert_eq!(
        wrong(r#""tcp":{"option_bytes":41}"#),
        "data/kernels/k.json: tcp.option_bytes: 41, but 0 to 40 can be modelled"
    );
}
