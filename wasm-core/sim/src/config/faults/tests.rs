//! Faults as a scenario has them: each can be written, and what it was called once is still read.

use super::*;

#[test]
fn every_fault_of_the_list_can_be_written_with_what_is_usual() {
    for control in FAULTS {
        let mut fields = Map::new();
        fields.insert("at_us".to_owned(), 1.into());
        fields.insert("do".to_owned(), control.name.into());
        for argument in control.arguments {
            fields.insert(argument.name.to_owned(), argument.usual.into());
        }
        let written = Value::Object(fields);
        assert_eq!(check(&Value::Array(vec![written.clone()]), 1), Ok(()));
        let fault: Fault = serde_json::from_value(written).unwrap();
        assert_eq!(fault.kind.name(), control.name);
        assert_eq!(fault.kind.needs_link(), control.needs_link);
    }
}

#[test]
fn a_ring_that_a_link_shrinks_is_changed() {
    let text = r#"[{"at_us":1,"do":"shrink_ring","descriptors":3}]"#;
    let written: Value = serde_json::from_str(text).unwrap();
    assert_eq!(check(&written, 1), Ok(()));
    let faults: Vec<Fault> = serde_json::from_value(written).unwrap();
    assert_eq!(faults[0].kind, FaultKind::SetRing { descriptors: 3 });
}
