//! The TCP configuration that results from kernel, workload and scenario.

use crate::config::kernel::{self, Kernel};
use crate::config::scenario::Scenario;
use crate::config::workload::Workload;
use crate::tcp::TcpConfig;
use crate::time::SimTime;

use crate::config::unfit::{Unfit, not_had};

/// The TCP configuration of a kernel with this MSS.
pub fn kernel_tcp(kernel: &Kernel, mss: u32) -> TcpConfig {
    let tcp = &kernel.tcp;
    TcpConfig {
        mss,
        initial_window_segments: tcp.initial_window_segments,
        congestion: tcp.congestion,
        congestion_controls: tcp.congestion_controls,
        recovery: tcp.recovery,
        loss_probe: tcp.loss_probe,
        min_tso_segments: tcp.min_tso_segments,
        grows_pieces: tcp.grows_pieces,
        tso_window_divisor: tcp.tso_window_divisor,
        limit_output_bytes: tcp.limit_output_bytes,
        pushes_large_pieces: tcp.pushes_large_pieces,
        ecn: tcp.ecn.unwrap_or_default(),
        sack: tcp.sack,
        delayed_ack: SimTime::from_ms(tcp.delayed_ack_ms),
        tick: kernel.tick(),
        owned_retry: tcp.owned_retry.map(|retry| {
            let after = (retry.write_ms, retry.delayed_ack_ms);
            (SimTime::from_ms(after.0), SimTime::from_ms(after.1))
        }),
        quick_acks: tcp.quick_acks,
        quick_acks_after_holes: tcp.quick_acks_after_holes,
        acks_pushed_segments: tcp.acks_pushed_segments,
        min_rto: SimTime::from_ms(tcp.min_rto_ms),
        nagle: tcp.nagle,
        restarts_after_idle: true,
        send_buffer: tcp.send_buffer_bytes,
        send_buffer_most: tcp.send_buffer_most_bytes,
        send_buffer_segments: tcp.send_buffer_segments,
        segment_memory: tcp.segment_memory,
        receive_buffer: window_of(tcp, tcp.receive_buffer_bytes),
        receive_buffer_most: tcp.receive_buffer_most_bytes,
        charges_truesize: tcp.charges_truesize,
        tunes_by_windows: tcp.tunes_by_windows,
        grows_into_space: tcp.grows_into_space,
        learns_short_mss: tcp.learns_short_mss,
        acks_second_short: tcp.acks_second_short,
        window_permille: tcp.window_permille,
        timestamps: tcp.option_bytes >= 12,
        slow_start_limit_segments: tcp.slow_start_limit_segments,
        max_rto: SimTime::from_ms(tcp.max_rto_ms),
        initial_rto: SimTime::from_ms(tcp.initial_rto_ms),
        time_wait: SimTime::from_ms(tcp.time_wait_ms),
        retries: tcp.retries,
        syn_retries: tcp.syn_retries,
        initial_receive_window: tcp.initial_receive_window_segments * mss,
    }
}

/// The window in bytes that a receive buffer of `buffer` bytes allows.
fn window_of(tcp: &kernel::Tcp, buffer: u32) -> u32 {
    (u64::from(buffer) * u64::from(tcp.window_permille) / 1000) as u32
}

/// The TCP configuration of a kernel, changed by the scenario's settings. Fails if the kernel does not have the
/// congestion control that one of them chooses.
pub fn tcp_config(
    scenario: &Scenario,
    kernel: &Kernel,
    workload: &Workload,
    mss: u32,
) -> Result<TcpConfig, Unfit> {
    let (settings, tcp) = (&scenario.settings, &kernel.tcp);
    let mut config = kernel_tcp(kernel, mss);
    if let Some(chosen) = settings.tcp_congestion_control {
        let controls = &tcp.congestion_controls;
        if !controls.has(chosen) {
            let name = chosen.kind().name;
            return Err(not_had(
                "tcp_congestion_control",
                name,
                kernel,
                controls.names(),
            ));
        }
        config.congestion = chosen;
    }
    config.ecn = settings.tcp_ecn.unwrap_or(config.ecn);
    config.nagle &= !workload.no_delay;
    if let Some(bytes) = settings.send_buffer() {
        config.send_buffer = bytes;
    }
    if settings.send_buffer_bytes.is_some() {
        config.send_buffer_most = 0;
    }
    if let Some(bytes) = settings.receive_buffer() {
        config.receive_buffer = window_of(tcp, bytes);
    }
    // SO_RCVBUF disables auto-tuning.
    if settings.receive_buffer_bytes.is_some() {
        config.receive_buffer_most = 0;
    }
    Ok(config)
}
