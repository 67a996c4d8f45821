//! What is measured of each run: the one list of a sweep's columns.
//!
//! Rates are over the time after the warm-up, shares over all CPUs. What a run has none of (an
//! interrupt over the loopback device, a packet that was read) is absent, not zero.

use ringside::journey::Journeys;
use ringside::kernel::{Nanos, VerdictKind};
use ringside::measure::Distribution;
use ringside::run::measured::Measured;
use sim::config::scenario::Scenario;

/// The columns: what each is called, with its unit, in the order of [`of`].
pub const COLUMNS: [&str; 19] = [
    "throughput_mbit",
    "frames_per_s",
    "user_percent",
    "kernel_percent",
    "softirq_percent",
    "hardirq_percent",
    "spinning_percent",
    "idle_percent",
    "dropped",
    "rx_missed",
    "lost_on_link",
    "interrupts_per_s",
    "frames_per_interrupt",
    "polls_per_s",
    "lines_moved",
    "switches",
    "connections_served",
    "latency_median_us",
    "latency_p99_us",
];

/// One run's values.
pub type Values = [Option<f64>; COLUMNS.len()];

/// The values of a run: totals, and the times from packets' first events to the reads that took
/// their last bytes.
pub fn of(scenario: &Scenario, measured: &Measured, journeys: &Journeys, start: Nanos) -> Values {
    let seconds = measured.elapsed_fs as f64 / 1e15;
    let all = (measured.elapsed_fs * u64::from(measured.cpus)) as f64;
    let rate = |count: u64| (seconds > 0.0).then(|| count as f64 / seconds);
    let percent = |fs: u64| (all > 0.0).then(|| fs as f64 * 100.0 / all);
    let count = |count: u64| Some(count as f64);
    let frames = measured.frames_received + measured.frames_sent;
    // Where there is no NIC, no ring has a least.
    let has_nic = measured.rx_ring_least_free != u32::MAX;
    let of_nic = |value: Option<f64>| value.filter(|_| has_nic);
    let each_interrupt = measured.frames_received as f64 / measured.interrupts as f64;
    let latency = latencies(scenario, journeys, start);
    let micros = |nanos: u64| latency.map(|_| nanos as f64 / 1000.0);
    let (median, p99) = latency.map_or((0, 0), |times| (times.median, times.p99));
    let idle = (all as u64).saturating_sub(measured.busy_fs());
    [
        Some(measured.throughput_kbit() as f64 / 1000.0),
        of_nic(rate(frames)),
        percent(measured.user_fs),
        percent(measured.kernel_fs),
        percent(measured.softirq_fs),
        percent(measured.hardirq_fs),
        percent(measured.spinning_fs),
        percent(idle),
        count(measured.dropped),
        of_nic(count(measured.rx_missed)),
        of_nic(count(measured.lost_on_link)),
        of_nic(rate(measured.interrupts)),
        of_nic((measured.interrupts > 0).then_some(each_interrupt)),
        of_nic(rate(measured.polls)),
        count(measured.lines_moved),
        count(measured.switches),
        count(measured.connections),
        micros(median),
        micros(p99),
    ]
}

/// The times of packets that were read after the warm-up.
fn latencies(scenario: &Scenario, journeys: &Journeys, start: Nanos) -> Option<Distribution> {
    let warm = Nanos(start.0 + scenario.warmup_us.unwrap_or(0) * 1000);
    let times: Vec<u64> = journeys
        .packets
        .iter()
        .filter(|packet| packet.verdict.kind() == VerdictKind::Delivered && packet.end >= warm)
        .map(|packet| packet.end.since(packet.start))
        .collect();
    (!times.is_empty()).then(|| Distribution::of(times))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::config::settings::SETTINGS;

    #[test]
    fn no_column_is_called_like_a_setting_beside_it() {
        for column in COLUMNS {
            assert!(
                SETTINGS.iter().all(|setting| setting.name != column),
                "{column}"
            );
        }
    }
}
