//! What is said of files that are no trace, and which format a file is taken for.

use super::{import, import_in};
use crate::import::Format;

fn refusal(bytes: &[u8]) -> String {
    let error = import_in(bytes, &[usize::MAX]).expect_err("no trace");
    let text = error.to_string();
    text.split("; accepted is ")
        .next()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn a_file_that_is_no_trace_is_named() {
    let cases: [(&[u8], &str); 9] = [
        (b"", "the file is empty"),
        (b"\n \n\n", "the file is empty"),
        (
            b"\x17\x08\x44tracing6\0",
            "found trace.dat, trace-cmd's binary: run `trace-cmd report` and open its output",
        ),
        (b"\x7fELF\x02\x01\x01\0\0", "found an ELF binary"),
        (
            b"{\"traceEvents\":[]}\n",
            "found JSON, beginning with \"{\"traceEvents\":[]}\"",
        ),
        (
            b"<!doctype html>\n",
            "found HTML or XML, beginning with \"<!doctype html>\"",
        ),
        (
            b"Dear list,\nnothing here.\n",
            "found text without a line of a trace, beginning with \"Dear list,\"",
        ),
        (
            b"\x0a\x05\x00\x01\x02\x03\x04\x0a\x05\x00\x01\x02",
            "found a binary protobuf, perhaps a Perfetto trace (.pftrace): export it as ftrace text",
        ),
        (
            b"PERFILE2\x68\0\0",
            "found perf.data, perf's binary: run `perf script` and open its output",
        ),
    ];
    for (bytes, expected) in cases {
        assert_eq!(refusal(bytes), expected);
    }
}

#[test]
fn every_refusal_says_what_is_accepted() {
    let error = import_in(b"nothing\n", &[usize::MAX]).expect_err("no trace");
    assert!(error.to_string().ends_with("each plain, .gz or .zst"));
}

#[test]
fn the_version_line_first_decides_whatever_a_remark_says() {
    let text = "# kperf 2\n# tracer: nop\n";
    let imported = import(text).expect("a trace without events");
    assert_eq!(imported.format, Format::Kperf2);
    let paste = "# tracer: nop\n# kperf 2\n";
    let imported = import(paste).expect("a trace without events");
    assert_eq!(imported.format, Format::Ftrace);
}
