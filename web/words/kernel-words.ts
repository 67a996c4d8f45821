/**
 * The core's short words in the language that is spoken: stations and queues, contexts, ends of a
 * journey, units. The core knows them by English names, which the command line prints, too; a word
 * that has no message here is said as the core names it. Names of the kernel's own (probes, drop
 * reasons, fields) are the same in every language.
 */
import type { Glossary } from '../core/core.ts';
import { m } from './generated/messages.js';

type Words = Readonly<Record<string, () => string>>;

/** Stations and queues: what has one name in both is one word. */
const PLACES: Words = {
  wire: m.word_wire,
  'rx ring': m.word_rx_ring,
  driver: m.word_driver,
  XDP: m.word_xdp,
  GRO: m.word_gro,
  'net core': m.word_net_core,
  backlog: m.word_backlog,
  IP: m.word_ip,
  reassembly: m.word_reassembly,
  TCP: m.word_tcp,
  UDP: m.word_udp,
  transport: m.word_transport,
  'socket backlog': m.word_socket_backlog,
  prequeue: m.word_prequeue,
  'out-of-order queue': m.word_out_of_order_queue,
  'receive queue': m.word_receive_queue,
  process: m.word_process,
  'send call': m.word_send_call,
  'write queue': m.word_write_queue,
  'TCP send': m.word_tcp_send,
  'UDP send': m.word_udp_send,
  'transport send': m.word_transport_send,
  'IP send': m.word_ip_send,
  qdisc: m.word_qdisc,
  'driver send': m.word_driver_send,
  'tx ring': m.word_tx_ring,
  'wire out': m.word_wire_out,
  'run queue': m.word_run_queue,
};

const CONTEXTS: Words = {
  unknown: m.not_recorded,
  idle: m.word_idle,
  user: m.word_user,
  kernel: m.word_kernel,
  softirq: m.word_softirq,
  hardirq: m.word_hardirq,
  nmi: m.word_nmi,
  spinning: m.word_spinning,
};

const VERDICTS: Words = {
  delivered: m.word_delivered,
  merged: m.word_merged,
  dropped: m.word_dropped,
  transmitted: m.word_transmitted,
  consumed: m.word_consumed,
  open: m.word_open,
};

const UNITS: Words = {
  frames: m.word_frames,
  packets: m.word_packets,
  fragments: m.word_fragments,
  bytes: m.word_bytes,
  tasks: m.word_tasks,
};

const from =
  (words: Words) =>
  (name: string): string =>
    words[name]?.() ?? name;

/** A station or a kind of queue. */
export const placeWord = from(PLACES);
/** What a CPU does. */
export const contextWord = from(CONTEXTS);
/** How a journey ended. */
export const verdictWord = from(VERDICTS);
/** What a queue counts. */
export const unitWord = from(UNITS);

/** A word of one of the glossary's lists. */
export function wordOf(list: keyof Glossary, name: string): string {
  const words: Readonly<Record<keyof Glossary, Words>> = {
    stations: PLACES,
    queues: PLACES,
    contexts: CONTEXTS,
    verdicts: VERDICTS,
    probes: {},
    dropReasons: {},
  };
  return from(words[list])(name);
}

/** Whose a queue is, as the core labels it: `port 5001`, `socket 3`; `CPU 1` and a device are the same in every language. */
export function ownerWord(label: string): string {
  const [, kind, name = ''] = /^(port|socket) (\S+)$/.exec(label) ?? [];
  if (kind === undefined) return label;
  return kind === 'port' ? m.word_port({ port: name }) : m.word_socket({ socket: name });
}

/** Why a line of an input could not be read; what is said of one line alone stays as the core says it. */
export function unreadWord(why: string): string {
  const word = UNREAD[why];
  if (word !== undefined) return word();
  const [, probe] = /^(\S+) without the arguments it always has$/.exec(why) ?? [];
  if (probe !== undefined) return m.unread_arguments({ probe });
  const [, event] = /^the line ends before (.*)$/.exec(why) ?? [];
  return event === undefined ? why : m.unread_ends_before({ what: event });
}

const UNREAD: Words = {
  "cut off at the edge of a pager's screen": m.unread_cut_off,
  'no event behind the time': m.unread_no_event,
  'a system call without its arguments or result': m.unread_system_call,
  'no line of a trace': m.unread_no_line,
  "printed with ftrace's option fields: turn it off and record again": m.unread_option_fields,
  "printed with ftrace's option raw, hex or bin: turn it off and print the trace again":
    m.unread_raw,
  "printed with ftrace's options latency-format and verbose: turn verbose off and print the trace again":
    m.unread_verbose,
  "an event without its time: turn ftrace's option context-info on, or give perf script the fields comm,tid,cpu,time,event,trace, and print it again":
    m.unread_no_time,
  'a number of a CPU that no kernel has': m.unread_no_cpu,
  'printed by trace-cmd without its own words (-R, -r): run `trace-cmd report` without that option':
    m.unread_without_words,
  'an editor made one sign (⇒) of the arrow ==>: take the file as it was recorded':
    m.unread_one_sign,
  'a line of perf script in a file of another format: cut the file there and open each part by itself':
    m.unread_of_perf,
  "what stands before its columns is longer than any task's name": m.unread_name_too_long,
  'longer than any line of a trace': m.unread_too_long,
  'no line of the bpftrace script': m.unread_no_bpftrace,
  'the file ends within it': m.unread_file_ends,
  'zeros stand in it, so a part of the file is missing here, or this part is in UTF-16':
    m.unread_zeros,
  'longer than any comment: if what ended the lines was lost (a form of a web page or a chat does that), take the file as it was recorded':
    m.unread_many_in_one,
  'an event within a graph of functions, without its time or its CPU: set options/funcgraph-abstime and options/funcgraph-cpu to 1 and print the trace again, or record without the tracer (`echo nop > current_tracer`)':
    m.unread_unplaced,
  'an event without its arguments: give perf script the field trace, and print it again':
    m.unread_no_arguments,
  'printed by `trace-cmd report --raw-ts`: print it again without that option': m.unread_raw_time,
  "an event of perf script with neither its task's number nor its CPU: give perf script the fields comm,tid,cpu,time,event,trace, and print it again":
    m.unread_no_task,
  'printed by perf script with the field tod, the time of the day: print it again without that field (`perf script -F -tod`), so that each event has its time of the clock alone':
    m.unread_time_of_day,
};

/** What lies between two ids of the 2005 toolkit, by the core's name of the hop (`measure/passages.rs`). */
const HOPS: Words = {
  '1 to 2': m.word_send_call,
  '2 to 3': m.word_transport_send,
  '3 to 4': m.word_ip_send,
  '4 to 5': m.word_qdisc,
  '1 to 5': m.word_way_down,
  '6 to 7': m.word_net_core,
  '7 to 8': m.word_ip,
  '8 to 9': m.word_transport,
  '9 to 10': m.word_receive_queue,
  '6 to 10': m.word_way_up,
};

/** A layer: a station, or a hop from one probe to another. */
export function layerWord(name: string): string {
  const [, first, last] = /^(\S+) to (\S+)$/.exec(name) ?? [];
  if (first === undefined || last === undefined) return placeWord(name);
  const hop = HOPS[name];
  return hop === undefined
    ? m.word_between({ from: first, to: last })
    : m.word_hop({ layer: hop(), from: first, to: last });
}
