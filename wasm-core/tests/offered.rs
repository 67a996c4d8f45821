//! Offered load and the rate of the link, two settings that a study sweeps: what is offered below what the way
//! can carry arrives, what is beyond it does not, and a link carries no more than its rate.

#![allow(clippy::unwrap_used, reason = "tests")]

use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::engine::simulate;

/// Bytes of a message.
const MESSAGE: u64 = 16_384;

/// Mbit/s that are read with these settings added.
fn read(workload: &str, settings: &str) -> Result<f64, String> {
    let text = format!(
        r#"{{"machine":"current-server","kernel":"6.1","workload":"{workload}","settings":{{"cpus":2,
        "peer":"current-server","message_bytes":{MESSAGE}{settings}}},"duration_us":60000,
        "warmup_us":10000,"seed":1}}"#
    );
    let catalogue = Catalogue::shipped().unwrap();
    let scenario = Scenario::parse(&text, &catalogue).unwrap();
    let measured = simulate(&scenario, &catalogue, false)?.measured;
    Ok(measured.throughput_kbit() as f64 / 1000.0)
}

fn stream(settings: &str) -> f64 {
    read("iperf-link", settings).unwrap()
}

#[test]
fn what_is_offered_arrives_as_long_as_the_way_carries_it() {
    for per_s in [500, 2000, 8000] {
        let offered = (per_s * MESSAGE * 8) as f64 / 1e6;
        let read = stream(&format!(r#","offered_per_s":{per_s}"#));
        // A message more or less lies within the 50 ms that are measured.
        let apart = (MESSAGE * 8 * 2) as f64 / 1e6 / 0.05;
        assert!(
            (read - offered).abs() <= apart,
            "{per_s}: {read} of {offered}"
        );
    }
}

#[test]
fn an_offer_beyond_what_the_way_carries_gets_what_no_pace_gets() {
    let (free, most) = (stream(""), stream(r#","offered_per_s":10000000"#));
    assert!((most / free - 1.0).abs() < 0.02, "{most} for {free}");
}

#[test]
fn each_connection_offers_for_itself() {
    let read = stream(r#","connections":3,"offered_per_s":1000"#);
    let offered = (3 * 1000 * MESSAGE * 8) as f64 / 1e6;
    assert!((read / offered - 1.0).abs() < 0.05, "{read} of {offered}");
}

#[test]
fn a_link_carries_no_more_than_its_rate() {
    for rate in [100, 1000] {
        let read = stream(&format!(r#","link_mbit":{rate}"#));
        let rate = f64::from(rate);
        assert!(read < rate && read > 0.9 * rate, "{read} of {rate}");
    }
}

#[test]
fn where_nobody_offers_messages_the_setting_is_refused_by_name() {
    let refused = read("web", r#","offered_per_s":10"#).unwrap_err();
    assert!(refused.starts_with("settings.offered_per_s"), "{refused}");
}
