//! The TCP configuration that results from kernel, workload and scenario.

use crate::config::kernel::Kernel;
use crate::config::scenario::Scenario;
use crate::config::workload::Workload;
use crate::tcp::TcpConfig;

use crate::config::unfit::{Unfit, not_had};

/// The TCP configuration of a kernel, changed by the scenario's settings. Fails if the kernel does not have the
/// congestion control that one of them chooses.
pub fn tcp_config(
    scenario: &Scenario,
    kernel: &Kernel,
    workload: &Workload,
    mss: u32,
) -> Result<TcpConfig, Unfit> {
    let settings = &scenario.settings;
    let mut parameters = kernel.tcp;
    if let Some(chosen) = settings.tcp_congestion_control {
        let controls = &parameters.congestion_controls;
        if !controls.has(chosen) {
            let name = chosen.kind().name;
            return Err(not_had(
                "tcp_congestion_control",
                name,
                kernel,
                controls.names(),
            ));
        }
        parameters.congestion = chosen;
    }
    parameters.ecn = settings.tcp_ecn.or(parameters.ecn);
    parameters.nagle &= !workload.no_delay;
    if let Some(bytes) = settings.send_buffer(kernel) {
        parameters.send_buffer_bytes = bytes;
        parameters.send_buffer_most_bytes = 0;
    }
    // SO_RCVBUF disables auto-tuning.
    if let Some(bytes) = settings.receive_buffer(kernel) {
        parameters.receive_buffer_bytes = bytes;
        parameters.receive_buffer_most_bytes = 0;
    }
    Ok(TcpConfig::new(parameters, mss, kernel.tick()))
}
