//! The list of disciplines.

use super::*;

#[test]
fn a_discipline_is_chosen_by_its_name() {
    for &name in WORDS {
        let chosen = Chosen::try_from(name.to_owned()).unwrap();
        assert_eq!(
            (chosen.kind().name, String::from(chosen)),
            (name, name.to_owned())
        );
    }
    assert_eq!(
        Chosen::try_from("bfifo".to_owned()),
        Err("there is no queueing discipline bfifo".to_owned())
    );
    assert_eq!(Chosen::default().kind().name, "pfifo_fast");
}

#[test]
fn a_kernel_without_parameters_has_the_first_alone() {
    let device = Device {
        frame_bytes: 1514,
        queue_packets: 3,
    };
    let none = Qdiscs::default();
    assert_eq!(none.names(device).collect::<Vec<_>>(), ["pfifo_fast"]);
    assert_eq!((ALL[0].start)(&none, device).unwrap().limit(), 3);
}

#[test]
fn what_is_wrong_with_parameters_is_said_with_the_place() {
    let text = r#"{"fq_codel":{"limit_packets":1,"memory_limit_bytes":1,"flows":0,"target_us":1,"interval_us":1,"ecn":true,
        "drop_batch_packets":1,"congested_reason":"QDISC_CONGESTED","congested_function":"drop_func",
        "overlimit_reason":"QDISC_DROP"}}"#;
    let wrong: Qdiscs = serde_json::from_str(text).unwrap();
    let error = wrong.check().unwrap_err();
    assert_eq!(error, "qdiscs.fq_codel.flows: there must be a queue");
    let unknown = serde_json::from_str::<Qdiscs>(&text.replace("QDISC_DROP", "TIRED"));
    assert!(
        unknown
            .unwrap_err()
            .to_string()
            .starts_with("TIRED is no reason of a drop")
    );
}
