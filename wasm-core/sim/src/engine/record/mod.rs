//! What is written down: events of the vocabulary, or only their number.

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

/// The record, and what those who add to it have to remember.
#[derive(Debug)]
pub struct Recorder {
    /// Where events go.
    pub record: Record,
    /// Which lines the caches hold as far as was told, while recording.
    pub held: Option<Held>,
    /// The run queues as they were told, while recording.
    pub queued: Option<Queued>,
}

impl Recorder {
    /// Records, or only counts.
    pub fn new(is_recording: bool) -> Self {
        Self {
            record: Record::new(is_recording),
            held: None,
            queued: None,
        }
    }
}

/// Where events go.
#[derive(Debug)]
pub struct Record {
    builder: Option<RunBuilder>,
    /// The numbers of the kernel's objects' names, by the kernel's own numbers.
    objects: Vec<Option<u32>>,
    /// The numbers of the devices' names, `lo` first.
    devices: Vec<Option<u32>>,
    /// The flows whose addresses were told.
    flows: Vec<bool>,
    /// Events so far, recorded or not.
    pub events: u64,
}

impl Record {
    /// Records, or only counts.
    pub fn new(is_recording: bool) -> Self {
        Self {
            builder: is_recording.then(|| RunBuilder::new(Origin::Simulated)),
            objects: Vec::new(),
            devices: Vec::new(),
            flows: Vec::new(),
            events: 0,
        }
    }

    /// A field of the event written last.
    pub fn field(&mut self, field: Field, value: u32) {
        if let Some(builder) = &mut self.builder {
            builder.field(field, value);
        }
    }

    /// The number of a text.
    pub fn name(&mut self, text: &str) -> u32 {
        self.builder
            .as_mut()
            .map_or(0, |builder| builder.name(text).0)
    }

    /// `R+` for a task that lost its CPU, `S` for one that sleeps, `T` for one that a signal stopped.
    pub fn state_name(&mut self, is_runnable: bool, is_stopped: bool) -> u32 {
        self.name(match (is_runnable, is_stopped) {
            (true, _) => "R+",
            (false, true) => "T",
            (false, false) => "S",
        })
    }

    /// The name of one of the kernel's objects.
    pub fn object(&mut self, index: u8, names: &[String]) -> u32 {
        let index = usize::from(index);
        if let Some(&Some(known)) = self.objects.get(index) {
            return known;
        }
        let name = self.name(&names[index]);
        remember(&mut self.objects, index, name);
        name
    }

    /// The name of a device.
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

    /// Whether nothing was told of a flow yet; from now on something was.
    pub fn is_new_flow(&mut self, flow: u32) -> bool {
        let flow = flow as usize;
        if self.flows.len() <= flow {
            self.flows.resize(flow + 1, false);
        }
        !std::mem::replace(&mut self.flows[flow], true)
    }

    /// The event written last has another context.
    pub fn amend_context(&mut self, context: Context) {
        if let Some(builder) = &mut self.builder {
            builder.amend(|event| event.context = context);
        }
    }

    /// The event written last is about a frame at this address, of so many bytes.
    pub fn amend_packet(&mut self, address: AddrId, len: u32) {
        if let Some(builder) = &mut self.builder {
            builder.amend(|event| (event.skb, event.len) = (address, len));
        }
    }

    /// The softirq of the event written last is that of receiving.
    pub fn net_rx(&mut self) {
        self.field(Field::Vec, 3);
    }

    /// The number of an address.
    pub fn address(&mut self, address: u64) -> AddrId {
        self.builder
            .as_mut()
            .map_or(AddrId::NONE, |builder| builder.address(address))
    }

    /// The builder, to say more about the run.
    pub fn builder(&mut self) -> Option<&mut RunBuilder> {
        self.builder.as_mut()
    }

    /// The run as far as it has come, if one is recorded.
    pub fn so_far(&self) -> Option<Run> {
        self.builder.clone().map(RunBuilder::finish)
    }

    /// The run, if one was recorded.
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
    /// Writes an event down; true when fields may follow. Only the watched host's are.
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

    /// An event of a device: no context, and the device's name.
    pub fn emit_device(&mut self, cpu: usize, probe: Probe, about: About, device: Device) -> bool {
        if !self.emit(cpu, probe, about) {
            return false;
        }
        self.amend_context(Context::Unknown);
        self.device_field(device);
        true
    }

    /// A field of the event written last.
    pub fn field(&mut self, field: Field, value: u32) {
        self.recorder.record.field(field, value);
    }

    /// A name as a field.
    pub fn name_field(&mut self, field: Field, name: &str) {
        let name = self.recorder.record.name(name);
        self.field(field, name);
    }

    /// The device of the event written last.
    pub fn device_field(&mut self, device: Device) {
        let name = self.recorder.record.device(device);
        self.field(Field::Dev, name);
    }

    /// The object of the event written last.
    pub fn object_field(&mut self, host: usize, name: u8) {
        let names = &self.hosts[host].code.objects;
        let name = self.recorder.record.object(name, names);
        self.field(Field::Object, name);
    }

    /// The state that the lines of the event written last have left or entered.
    pub fn state_field(&mut self, field: Field, state: LineState) {
        self.name_field(field, state.name());
    }

    /// The event written last has another context.
    pub fn amend_context(&mut self, context: Context) {
        self.recorder.record.amend_context(context);
    }

    /// The event written last is of a packet that is so many bytes longer, with its headers.
    pub fn amend_len(&mut self, headers: u32) {
        if let Some(builder) = self.recorder.record.builder() {
            builder.amend(|event| event.len = event.len.saturating_add(headers));
        }
    }
}

/// The process id of a task in the record: the idle task is 0.
pub fn pid(task: Option<TaskId>) -> Pid {
    task.map_or(Pid::IDLE, |task| Pid(FIRST_PID + task.index() as u32))
}

#[cfg(test)]
mod tests;
