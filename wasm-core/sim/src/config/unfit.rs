//! What a scenario asks for and a kernel, a machine or a workload does not have: settings that would change nothing,
//! and what no NIC or kernel of the scenario can do. The text of the scenario is sound (`config/refusal.rs` has the rest).

use crate::config::controls::Setting;
use crate::config::kernel::Kernel;
pub use crate::config::refusal::Unfit;
use crate::config::scenario::Scenario;
use crate::config::settings::XdpAction;
use crate::config::workload::{Role, Route, Transport, Workload};

/// What can be said of such a scenario.
pub mod says {
    ringside::sayings! {
        /// The kernel's file has not all the paths that the setting needs.
        no_code = "unfit.no_code"(field: Name, kernel: Name);
        no_xdp_program = "unfit.no_xdp_program"(field: Name);
        no_firewall_rule = "unfit.no_firewall_rule"(field: Name);
        no_ecn = "unfit.no_ecn"(field: Name, kernel: Name);
        no_ce_threshold = "unfit.no_ce_threshold"(field: Name);
        nobody_offers = "unfit.nobody_offers"(field: Name, workload: Name);
        xdp_tx_of_tcp = "unfit.xdp_tx_of_tcp"(field: Name, workload: Name);
        needs_link = "unfit.needs_link"(field: Name, workload: Name);
        no_nic = "unfit.no_nic"(field: Name, machine: Name);
        /// `last` is the number of the last there is.
        no_queue = "unfit.no_queue"(field: Name, queue: Name, last: Name);
        no_task = "unfit.no_task"(field: Name, pid: Name, known: Name);
        no_cpu_of_queue = "unfit.no_cpu_of_queue"(field: Name, queue: Name, last: Cpu);
        no_cpu = "unfit.no_cpu"(field: Name, cpu: Cpu, count: Count);
        driver_without_xdp = "unfit.driver_without_xdp"(field: Name, nic: Name, kernel: Name);
        driver_without_napi = "unfit.driver_without_napi"(field: Name, nic: Name, kernel: Name);
        one_nic = "unfit.one_nic"(field: Name);
        no_checksums = "unfit.no_checksums"(field: Name, nic: Name);
        /// `had` are those that the kernel has.
        not_had = "unfit.not_had"(field: Name, chosen: Name, kernel: Name, had: Name);
    }
}

/// That a field names a receive queue that is not there, of so many.
pub fn no_queue(field: &str, queue: u16, count: usize) -> Unfit {
    let last = count.saturating_sub(1).to_string();
    Unfit(says::no_queue(field.to_owned(), queue.to_string(), last))
}

/// That a kernel does not have what a setting chooses by name, and what it has.
pub fn not_had(
    setting: &str,
    chosen: &str,
    kernel: &Kernel,
    had: impl Iterator<Item = &'static str>,
) -> Unfit {
    let had: Vec<String> = had.map(|name| format!("\"{name}\"")).collect();
    let field = format!("settings.{setting}");
    let (chosen, kernel) = (chosen.to_owned(), kernel.name.clone());
    Unfit(says::not_had(field, chosen, kernel, had.join(", ")))
}

/// A setting that would have no effect is an error.
pub fn refuse_idle_settings(
    scenario: &Scenario,
    kernel: &Kernel,
    workload: &Workload,
) -> Result<(), Unfit> {
    let settings = &scenario.settings;
    let lacks = |setting: &&Setting| !setting.needs.iter().all(|&path| kernel.has(path));
    if let Some(Setting { name, .. }) = settings.set().find(lacks) {
        let field = format!("settings.{name}");
        return Err(Unfit(says::no_code(field, kernel.name.clone())));
    }
    if settings.xdp.is_none() && (settings.xdp_port.is_some() || settings.xdp_permille.is_some()) {
        return Err(Unfit(says::no_xdp_program("settings.xdp".to_owned())));
    }
    if settings.firewall_drops_port.is_some() && settings.firewall_rules.unwrap_or(0) == 0 {
        return Err(Unfit(says::no_firewall_rule(
            "settings.firewall_drops_port".to_owned(),
        )));
    }
    if settings.tcp_ecn.is_some() && kernel.tcp.ecn.is_none() {
        return Err(Unfit(says::no_ecn(
            "settings.tcp_ecn".to_owned(),
            kernel.name.clone(),
        )));
    }
    let has_fq_codel = settings.qdisc.unwrap_or_default().kind().name == "fq_codel";
    if settings.ce_threshold_us.is_some() && !has_fq_codel {
        return Err(Unfit(says::no_ce_threshold(
            "settings.ce_threshold_us".to_owned(),
        )));
    }
    if settings.offered_per_s.is_some() && !workload.roles.iter().any(Role::offers) {
        return Err(Unfit(says::nobody_offers(
            "settings.offered_per_s".to_owned(),
            workload.name.clone(),
        )));
    }
    if settings.xdp == Some(XdpAction::Tx) && workload.transport == Transport::Tcp {
        return Err(Unfit(says::xdp_tx_of_tcp(
            "settings.xdp".to_owned(),
            workload.name.clone(),
        )));
    }
    if workload.route == Route::Link {
        return Ok(());
    }
    let idle = settings.set().find(|setting| setting.applies.needs_link());
    let mut faults = scenario.faults.iter();
    let fault = faults.position(|fault| fault.kind.needs_link());
    let idle = idle.map(|setting| format!("settings.{}", setting.name));
    let idle = idle.or_else(|| fault.map(|index| format!("faults.{index}.do")));
    match idle {
        None => Ok(()),
        Some(field) => Err(Unfit(says::needs_link(field, workload.name.clone()))),
    }
}
