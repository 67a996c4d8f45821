//! Every bundled recording survives being written as kperf 2 and read again.

mod shared;

use ringside::export::kperf2;
use ringside::import::Format;

use shared::{import, recordings};

#[test]
fn a_bundled_recording_is_the_same_run_as_its_export() {
    let recordings = recordings();
    assert!(!recordings.is_empty());
    for trace in recordings {
        let first = import(&std::fs::read(&trace).expect("the file was seen"));
        let mut text = Vec::new();
        kperf2(&first.run, &mut text).expect("a vector takes any bytes");
        let again = import(&text);
        let name = trace.display();
        assert_eq!(again.format, Format::Kperf2, "{name}");
        assert_eq!(again.run.fingerprint(), first.run.fingerprint(), "{name}");
        assert_eq!(again.run.origin, first.run.origin, "{name}");
        assert_eq!(again.run.metadata, first.run.metadata, "{name}");
        assert_eq!(again.ledger.malformed_kept, vec![], "{name}");
        assert!(again.ledger.unknown.is_empty(), "{name}");
        assert!(again.ledger.warnings.is_empty(), "{name}");
        assert_eq!(again.ledger.lost(), first.ledger.lost(), "{name}");
    }
}
