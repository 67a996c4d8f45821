//! The record of a run: its events, or only their number.

pub mod lines;
pub mod run_queues;

use crate::config::faults::FIRST_PID;
use crate::engine::core::Core;
use crate::engine::cpu::op::About;
use crate::engine::ids::{Device, Id as _, TaskId};
use ringside::kernel::{AddrId, Context, CpuId, Event, Field, LineState, Origin, Pid, Probe};
use ringside::run::{Run, RunBuilder};

use lines::Held;
use run_queues::Queued;

/// The record, and the state that is needed to record differences.
#[derive(Debug)]
pub struct Recorder {
    /// The events.
    pub record: Record,
    /// The recorded content of the caches; `None` if the run is not recorded.
    pub held: Option<Held>,
    /// The recorded run queues; `None` if the run is not recorded.
    pub queued: Option<Queued>,
}

impl Recorder {
    /// A recorder that records, or only counts.
    pub fn new(is_recording: bool) -> Self {
        Self {
            record: Record::new(is_recording),
            held: None,
            queued: None,
        }
    }
}

/// The destination of events.
#[derive(Debug)]
pub struct Record {
    builder: Option<RunBuilder>,
    /// Indices of the names of kernel objects in the record, by the kernel's own index.
    objects: Vec<Option<u32>>,
    /// Indices of the names of devices in the record, `lo` first.
    devices: Vec<Option<u32>>,
    /// Whether the addresses of each flow have been recorded.
    flows: Vec<bool>,
    /// Number of events so far, recorded or not.
    pub events: u64,
}

impl Record {
    /// A record that keeps events, or only counts them.
    pub fn new(is_recording: bool) -> Self {
        Self {
            builder: is_recording.then(|| RunBuilder::new(Origin::Simulated)),
            objects: Vec::new(),
            devices: Vec::new(),
            flows: Vec::new(),
            events: 0,
        }
    }

    /// Adds a field to the last event.
    pub fn field(&mut self, field: Field, value: u32) {
        if let Some(builder) = &mut self.builder {
            builder.field(field, value);
        }
    }

    /// The index of a text in the record; 0 if the run is not recorded.
    pub fn name(&mut self, text: &str) -> u32 {
        self.builder
            .as_mut()
            .map_or(0, |builder| builder.name(text).0)
    }

    /// `R+` for a preempted task, `S` for one that sleeps, `T` for one that a signal stopped.
    pub fn state_name(&mut self, is_runnable: bool, is_stopped: bool) -> u32 {
        self.name(match (is_runnable, is_stopped) {
            (true, _) => "R+",
            (false, true) => "T",
            (false, false) => "S",
        })
    }

    /// The index of the name of a kernel object.
    pub fn object(&mut self, index: u8, names: &[String]) -> u32 {
        let index = usize::from(index);
        if let Some(&Some(known)) = self.objects.get(index) {
            return known;
        }
        let name = self.name(&names[index]);
        remember(&mut self.objects, index, name);
        name
    }

    /// The index of the name of a device.
    pub fn device(&mut self, device: Device) -> u32 {
        let index = match device {
            Device::Loopback => 0,
            Device::Nic(nic) => nic.index() + 1,
        };
        if let Some(&Some(known)) = self.devices.get(index) {
            return known;
        }
        let name = match device {
            Device::Loopback => self.name("lo"),
            Device::Nic(nic) => self.name(&format!("eth{}", nic.index())),
        };
        remember(&mut self.devices, index, name);
        name
    }

    /// Whether no address of a flow has been recorded yet; marks them as recorded.
    pub fn is_new_flow(&mut self, flow: u32) -> bool {
        let flow = flow as usize;
        if self.flows.len() <= flow {
            self.flows.resize(flow + 1, false);
        }
        !std::mem::replace(&mut self.flows[flow], true)
    }

    /// Changes the context of the last event.
    pub fn amend_context(&mut self, context: Context) {
        if let Some(builder) = &mut self.builder {
            builder.amend(|event| event.context = context);
        }
    }

    /// Sets the packet of the last event: its address, and its length in bytes.
    pub fn amend_packet(&mut self, address: AddrId, len: u32) {
        if let Some(builder) = &mut self.builder {
            builder.amend(|event| (event.skb, event.len) = (address, len));
        }
    }

    /// Marks the last event's softirq as `NET_RX_SOFTIRQ`.
    pub fn net_rx(&mut self) {
        self.field(Field::Vec, 3);
    }

    /// The index of an address in the record.
    pub fn address(&mut self, address: u64) -> AddrId {
        self.builder
            .as_mut()
            .map_or(AddrId::NONE, |builder| builder.address(address))
    }

    /// The builder, for other data about the run; `None` if it is not recorded.
    pub fn builder(&mut self) -> Option<&mut RunBuilder> {
        self.builder.as_mut()
    }

    /// The run so far, if it is recorded.
    pub fn so_far(&self) -> Option<Run> {
        self.builder.clone().map(RunBuilder::finish)
    }

    /// The run, if it was recorded.
    pub fn finish(self) -> Option<Run> {
        self.builder.map(RunBuilder::finish)
    }
}

fn remember(known: &mut Vec<Option<u32>>, index: usize, name: u32) {
    if known.len() <= index {
        known.resize(index + 1, None);
    }
    known[index] = Some(name);
}

impl Core {
    /// Records an event of the watched host; true if fields may follow.
    pub fn emit(&mut self, cpu: usize, probe: Probe, about: About) -> bool {
        let now = self.now();
        let record = &mut self.recorder.record;
        record.events += 1;
        let state = &self.cpus[cpu];
        let Some(builder) = record.builder.as_mut().filter(|_| state.host == 0) else {
            return false;
        };
        let mut event = Event::new(now.nanos(), probe);
        event.cpu = CpuId(state.local);
        event.context = match state.context() {
            Context::Kernel if state.current.is_none() => Context::Idle,
            context => context,
        };
        event.pid = pid(state.current);
        if let Some(skb) = about.skb {
            let skb = &self.skbs[skb];
            event.skb = skb.address;
            event.len = skb.len();
        }
        if let Some(sock) = about.sock {
            event.sk = self.socks[sock].address;
        }
        builder.push(event);
        true
    }

    /// Records an event of a device: without a context, and with the device's name.
    pub fn emit_device(&mut self, cpu: usize, probe: Probe, about: About, device: Device) -> bool {
        if !self.emit(cpu, probe, about) {
            return false;
        }
        self.amend_context(Context::Unknown);
        self.device_field(device);
        true
    }

    /// Adds a field to the last event.
    pub fn field(&mut self, field: Field, value: u32) {
        self.recorder.record.field(field, value);
    }

    /// Adds a name as a field.
    pub fn name_field(&mut self, field: Field, name: &str) {
        let name = self.recorder.record.name(name);
        self.field(field, name);
    }

    /// Adds the device's name to the last event.
    pub fn device_field(&mut self, device: Device) {
        let name = self.recorder.record.device(device);
        self.field(Field::Dev, name);
    }

    /// Adds the object's name to the last event.
    pub fn object_field(&mut self, host: usize, name: u8) {
        let names = &self.hosts[host].code.objects;
        let name = self.recorder.record.object(name, names);
        self.field(Field::Object, name);
    }

    /// Adds a state that the lines of the last event have left or entered.
    pub fn state_field(&mut self, field: Field, state: LineState) {
        self.name_field(field, state.name());
    }

    /// Changes the context of the last event.
    pub fn amend_context(&mut self, context: Context) {
        self.recorder.record.amend_context(context);
    }

    /// Adds the bytes of the headers to the packet length of the last event.
    pub fn amend_len(&mut self, headers: u32) {
        if let Some(builder) = self.recorder.record.builder() {
            builder.amend(|event| event.len = event.len.saturating_add(headers));
        }
    }
}

/// The PID of a task in the record; 0 for the idle task.
pub fn pid(task: Option<TaskId>) -> Pid {
    task.map_or(Pid::IDLE, |task| Pid(FIRST_PID + task.index() as u32))
}

#[cfg(test)]
mod tests;
