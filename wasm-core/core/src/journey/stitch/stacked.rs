//! Devices on top of others: bridges, bonds, VLANs, tunnels. A packet passes the device layer once for each on its
//! way down, and the core once for each on its way up, at one address. And devices of which a task is the link
//! (`drivers/net/tun.c`): it reads what was sent there, which is no read of a socket.

use std::collections::{BTreeMap, BTreeSet};

use super::Stitcher;
use super::order::Order;
use crate::kernel::{AddrId, CpuId, Event, EventIdx, Field, PacketId, Probe};
use crate::run::Run;

/// The names of the devices that send through another, and of those that a task reads.
#[derive(Debug, Default)]
pub(super) struct Stacked {
    above: BTreeSet<u32>,
    read: BTreeSet<u32>,
}

impl Stacked {
    /// Those that a packet was handed to and had not left when it was queued at another device on the same CPU.
    pub fn of(run: &Run) -> Self {
        let mut found = Self::default();
        let mut sent: BTreeMap<AddrId, u32> = BTreeMap::new();
        let mut sending: BTreeMap<AddrId, (CpuId, u32)> = BTreeMap::new();
        for index in run.indices() {
            let (probe, cpu) = (run.probe[index.at()], run.cpu[index.at()]);
            match probe {
                Probe::NetDevStartXmit => {
                    if let Some(dev) = run.field(index, Field::Dev) {
                        sending.insert(run.skb(index), (cpu, dev));
                        sent.insert(run.skb(index), dev);
                    }
                }
                Probe::NetDevQueue => {
                    let upper = sending.get(&run.skb(index));
                    let dev = run.field(index, Field::Dev);
                    if let (Some(&(on, upper)), Some(dev)) = (upper, dev)
                        && on == cpu
                        && upper != dev
                    {
                        found.above.insert(upper);
                    }
                }
                Probe::NetDevXmit
                | Probe::NetifRx
                | Probe::NetifRxEntry
                | Probe::ConsumeSkb
                | Probe::KfreeSkb => {
                    sending.remove(&run.skb(index));
                    let function = run.field_name(index, Field::Location).unwrap_or("");
                    if let Some(&dev) = sent.get(&run.skb(index))
                        && READERS.iter().any(|reader| function.starts_with(reader))
                    {
                        found.read.insert(dev);
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn has(&self, dev: Option<u32>) -> bool {
        dev.is_some_and(|dev| self.above.contains(&dev))
    }

    /// Whether the copy of a packet that was sent by this device is its reader's.
    pub fn is_read(&self, dev: Option<u32>, probe: Probe) -> bool {
        probe == Probe::SkbCopyDatagramIovec && dev.is_some_and(|dev| self.read.contains(&dev))
    }
}

/// Where the drivers' readers free what they have copied (v6.12).
const READERS: [&str; 2] = ["tun_do_read", "tap_do_read"];

impl Stitcher<'_> {
    /// Whether the packet enters another device at this event, without having left the one before. Nothing in the
    /// order of the probes tells that from another packet's way at the same address.
    pub(super) fn enters_another_device(
        &self,
        packet: PacketId,
        index: EventIdx,
        event: &Event,
        order: Order,
    ) -> bool {
        let draft = &self.drafts[packet.at()];
        let dev = self.run.field(index, Field::Dev);
        let Some(last) = draft.entries.last().map(|entry| entry.event) else {
            return false;
        };
        if dev.is_none()
            || draft.dev.is_none()
            || dev == draft.dev
            || self.run.cpu[last.at()] != event.cpu
            || self.run.context[last.at()] != event.context
        {
            return false;
        }
        let is_in_core = Order::NET_CORE <= draft.order && draft.order <= Order::TRANSPORT;
        match event.probe {
            // From within `ndo_start_xmit` of the device above.
            Probe::NetDevQueue | Probe::QdiscEnqueue | Probe::NetDevStartXmit => {
                draft.order == Order::DRIVER_SEND
                    && Order::DEV_QUEUE <= order
                    && self.stacked.has(draft.dev)
            }
            // A tunnel's device takes up what it has unpacked (`include/net/gro_cells.h: gro_cells_receive`, v6.12).
            Probe::NapiGroReceiveEntry | Probe::NetifRxEntry => is_in_core && self.stacked.has(dev),
            // A bridge takes up what is for its host, or for all, from within the core of the port's frame
            // (`net/bridge/br_input.c: br_pass_frame_up`, v6.12).
            Probe::NetifReceiveSkbEntry => {
                let cpu = self.cpus.get(&event.cpu);
                is_in_core && cpu.is_none_or(|cpu| cpu.receiving.may_hold(packet, event))
            }
            _ => false,
        }
    }
}
