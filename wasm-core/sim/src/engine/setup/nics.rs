//! The NICs of a host, and the links between two hosts.

use crate::config::kernel::{Checksum, Kernel, Per};
use crate::config::machine::{Machine, Nic as Model};
use crate::config::scenario::Scenario;
use crate::config::settings::{Settings, USUAL_LINK_DELAY_US, XdpAction};
use crate::engine::Engine;
use crate::engine::cpu::code::{Path, key};
use crate::engine::ids::{Id as _, NicId};
use crate::engine::napi::Napi;
use crate::engine::nic::byte_limit::ByteLimit;
use crate::engine::nic::moderation::{Interrupt, Moderation};
use crate::engine::nic::ring::{RxRing, TxRing, XdpRing};
use crate::engine::nic::xdp::{Program, Xdp};
use crate::engine::nic::{Driver, ETHERNET_HEADER, Nic, Offloads, RxQueue};
use crate::qdisc::{self, Discipline};
use crate::time::SimTime;

use crate::config::unfit::{Unfit, no_queue, not_had, says};

impl Engine {
    /// Adds the NICs of the machine to a host.
    pub fn add_nics(
        &mut self,
        host: usize,
        kernel: &Kernel,
        scenario: &Scenario,
    ) -> Result<(), Unfit> {
        let machine = self.core.hosts[host].machine.clone();
        let most = scenario.settings.nics.filter(|_| host == 0);
        for entry in 0..machine.nics.len() {
            let model = &machine.nics[entry];
            for _ in 0..model.count {
                let count = self.net.stacks[host].nics.len();
                if most.is_none_or(|most| count < usize::from(most)) {
                    self.add_nic(host, &machine, entry, kernel, scenario)?;
                }
            }
        }
        let count = self.net.stacks[host].queues.len();
        match scenario.settings.irq_queue.filter(|_| host == 0) {
            Some(queue) if usize::from(queue) >= count => {
                Err(no_queue("settings.irq_queue", queue, count))
            }
            _ => Ok(()),
        }
    }

    fn add_nic(
        &mut self,
        host: usize,
        machine: &Machine,
        entry: usize,
        kernel: &Kernel,
        scenario: &Scenario,
    ) -> Result<(), Unfit> {
        let model = &machine.nics[entry];
        let settings = &scenario.settings;
        let own = |setting: Option<u32>| setting.filter(|_| host == 0);
        let stack = &mut self.net.stacks[host];
        let nic = stack.nics.next_id();
        let bus = stack.buses.plug_in(machine, model, nic.index())?;
        let first_queue = stack.queues.next_id();
        let napi = model.napi && stack.receive.napi;
        let weight = match model.napi_weight {
            0 => stack.receive.weight,
            own => own,
        };
        let queues = model.queues.max(1);
        let limit = own(settings.rx_ring).unwrap_or(model.rx_ring);
        let delay = settings.link_delay_us.unwrap_or(USUAL_LINK_DELAY_US);
        let interrupt_delay = own(settings.interrupt_delay_us);
        // The rate belongs to the link, so both ends have it.
        let rate = settings.link_mbit.map_or(model.rate_mbit, u64::from);
        let ns = |us: u32| u64::from(us) * 1000;
        let checksum = settings.checksum.filter(|_| host == 0);
        let offloads = offloads(checksum, model, kernel, self.net.stacks[host].tcp.mss)?;
        let code = &self.core.hosts[host].code;
        let builds_skb = model.builds_skb && napi && code.has(Path::SkbBuild);
        let program = program(settings, nic).filter(|_| host == 0);
        if program.is_some() && (!builds_skb || model.driver.xdp.is_empty()) {
            let (nic, kernel) = (model.model.clone(), kernel.name.clone());
            return Err(Unfit(says::driver_without_xdp(
                "settings.xdp".to_owned(),
                nic,
                kernel,
            )));
        }
        if !napi && own(settings.busy_poll_us).is_some() {
            let (nic, kernel) = (model.model.clone(), kernel.name.clone());
            return Err(Unfit(says::driver_without_napi(
                "settings.busy_poll_us".to_owned(),
                nic,
                kernel,
            )));
        }
        let stack = &self.net.stacks[host];
        let device = qdisc::Device {
            frame_bytes: stack.mtu + ETHERNET_HEADER,
            queue_packets: stack.tx_queue_packets,
        };
        let qdisc = own_qdisc(settings, host, kernel, device)?;
        let has_limit = host == 0 && settings.byte_queue_limits == Some(true);
        self.net.stacks[host].nics.push(Nic {
            first_queue,
            queues,
            peer: (1 - host, NicId::from_index(0)),
            byte_fs: 8_000_000_000 / rate.max(1),
            delay: SimTime::from_us(u64::from(delay)),
            wire_free: SimTime::ZERO,
            bus,
            moderation: Moderation {
                delay: SimTime::from_ns(interrupt_delay.map_or(model.interrupt_delay_ns, ns)),
                frames: own(settings.interrupt_frames).unwrap_or(model.interrupt_frames),
                restarts: model.delay_restarts,
                tx_frames: model.tx_interrupt_frames.min(model.tx_ring.div_ceil(2)),
                tx_delay: SimTime::from_ns(model.tx_interrupt_delay_ns),
                tx_last: model.tx_interrupt_last,
                unreported: 0,
            },
            offloads,
            driver: Driver {
                entry: entry as u16,
                napi,
                weight,
                refill_after: model.refill_after,
                refill_in_tasklet: model.refill_in_tasklet && !napi,
                aligned: model.aligned,
                most_rounds: model.driver.most_rounds,
                tx_in_handler: model.tx_in_handler && napi,
                builds_skb,
                rx_data: model.rx_data,
            },
            tx: TxRing {
                limit: model.tx_ring.max(1),
                qdisc,
                byte_limit: has_limit.then(ByteLimit::default),
                ..TxRing::default()
            },
            xdp: Xdp {
                program,
                ring: XdpRing {
                    limit: model.tx_ring.max(1),
                    ..XdpRing::default()
                },
            },
        });
        for _ in 0..queues {
            self.add_queue(host, nic, limit);
        }
        Ok(())
    }

    /// Adds a receive queue with a buffer in each descriptor.
    fn add_queue(&mut self, host: usize, nic: NicId, limit: u32) {
        let state = &mut self.core.hosts[host];
        let (cpu_count, first_cpu) = (state.cpu_count, state.first_cpu);
        let kinds = &state.code.lines[key(Per::Queue)];
        let objects = state.memory.new_objects(kinds);
        let stack = &self.net.stacks[host];
        let serves = stack.queues.len() % cpu_count;
        let mut ring = RxRing {
            limit,
            ..RxRing::default()
        };
        for _ in 0..limit {
            let memory = self.net.ring_buffer(&mut self.core, first_cpu, nic);
            ring.posted.push_back(memory);
        }
        let stack = &mut self.net.stacks[host];
        let place = stack.queues.len();
        let pinned = stack.pinned.and_then(|pinned| pinned.cpu_of(place));
        stack.queues.push(RxQueue {
            nic,
            objects,
            cpu: pinned.unwrap_or(serves as u16),
            pinned,
            ring,
            refill_waits: false,
            interrupt: Interrupt::new(),
            napi: Napi::default(),
        });
    }

    /// Sets the NIC that each XDP program of a host redirects to: the next one.
    pub fn aim_redirects(&mut self, host: usize) -> Result<(), Unfit> {
        let nics = &mut self.net.stacks[host].nics;
        let count = nics.len();
        for nic in nics.ids() {
            let Some(program) = &mut nics[nic].xdp.program else {
                continue;
            };
            program.to = NicId::from_index((nic.index() + 1) % count);
            if program.action == XdpAction::Redirect && program.to == nic {
                return Err(Unfit(says::one_nic("settings.xdp".to_owned())));
            }
        }
        Ok(())
    }

    /// Connects the NICs of two hosts one to one; a link has the rate of its slower end.
    pub fn plug(&mut self) {
        for host in 0..2 {
            for nic in self.net.stacks[host].nics.ids() {
                let others = &self.net.stacks[1 - host].nics;
                let other = NicId::from_index(nic.index() % others.len());
                let rate = others[other].byte_fs;
                let state = &mut self.net.stacks[host].nics[nic];
                state.peer = (1 - host, other);
                state.byte_fs = state.byte_fs.max(rate);
            }
        }
    }
}

/// The queueing discipline of a host's NICs.
fn own_qdisc(
    settings: &Settings,
    host: usize,
    kernel: &Kernel,
    device: qdisc::Device,
) -> Result<Box<dyn Discipline>, Unfit> {
    let own = settings.qdisc.filter(|_| host == 0).unwrap_or_default();
    let mut qdiscs = kernel.qdiscs.clone();
    if let (Some(us), Some(fq_codel)) = (settings.ce_threshold_us, &mut qdiscs.fq_codel) {
        fq_codel.ce_threshold_us = Some(us.into());
    }
    (own.kind().start)(&qdiscs, device).ok_or_else(|| {
        let had = kernel.qdiscs.names(device);
        not_had("qdisc", own.kind().name, kernel, had)
    })
}

/// The XDP program that a scenario attaches to a NIC; its redirect target is set once all NICs exist.
fn program(settings: &Settings, nic: NicId) -> Option<Program> {
    Some(Program {
        action: settings.xdp?,
        port: settings.xdp_port,
        permille: settings.xdp_permille.unwrap_or(1000),
        to: nic,
    })
}

/// The offloads of a NIC; `own` is where the scenario wants checksums to be computed.
fn offloads(
    own: Option<Checksum>,
    model: &Model,
    kernel: &Kernel,
    mss: u32,
) -> Result<Offloads, Unfit> {
    let checksum = match own {
        Some(Checksum::Nic) if !model.checksum => {
            return Err(Unfit(says::no_checksums(
                "settings.checksum".to_owned(),
                model.model.clone(),
            )));
        }
        Some(checksum) => checksum,
        None if model.checksum => Checksum::Nic,
        None => kernel.checksum,
    };
    Ok(Offloads {
        checksum,
        udp_checksum: match (checksum, kernel.udp_checksum) {
            (Checksum::Nic, _) => Checksum::Nic,
            (_, own) => own.unwrap_or(checksum),
        },
        gso: kernel.tcp.gso_bytes.min(model.tso_bytes).max(mss),
    })
}
