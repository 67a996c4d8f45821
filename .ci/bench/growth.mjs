/**
 * How the time of an import grows with the size of what comes in, for shapes of input that a host
 * or a hostile file may have. Each shape is opened in the worker at two sizes; of a time that grows
 * as the size to the power p, p is printed: 1 is linear.
 */
import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from '../shell.mjs';

/** The larger input has so many times the lines of the smaller one. */
const TIMES = 6;
/** Lines of the smaller input, without its head. */
const LINES = 100_000;
/** Lines of the smaller input whose run is looked at in the page. */
const LINES_SHOWN = 800;
/** So many lines are written at once. */
const SOME = 10_000;
/** Raised when the shapes make other files. */
const VERSION = 4;

const stamp = (line) => `${Math.floor(line / 1e6) + 1}.${String(line % 1e6).padStart(6, '0')}`;
const ftrace = (line, what, cpu = 0) =>
  `          <idle>-0       [${String(cpu).padStart(3, '0')}] ..s1.     ${stamp(line)}: ${what}`;
const address = (number) => `ffff${(0x888000000000 + number).toString(16)}`;
/** Packets and sockets have addresses of their own. */
const skb = (number) => `skb ${address(number * 256)}`;
const sk = (number) => `sk ${address(2 ** 32 + number * 1024)}`;
/** An event of kperf 2: in a softirq, or of the one task that reads. */
const received = (line, what) =>
  `${line} ev ${what.replace(' ', ` ts ${stamp(line)} cpu 0 ctx softirq pid 0 `)}`;
const reading = (line, what) =>
  `${line} ev ${what.replace(' ', ` ts ${stamp(line)} cpu 1 ctx kernel pid 534 `)}`;

/** An event that every importer of ftrace knows, so that what follows is taken for ftrace. */
const KNOWN = `${ftrace(0, 'softirq_raise: vec=3 [action=NET_RX]')}\n`;

/** So many datagrams come, are read on another CPU, and are then freed where they came, the last one first. */
const FLUSHED = 1000;

function readElsewhere(line) {
  const [block, place] = [Math.floor((line - 1) / (4 * FLUSHED)), (line - 1) % (4 * FLUSHED)];
  const [step, within] = [place % 3, Math.floor(place / 3)];
  const memory = (number) => `skbaddr=${address((block * FLUSHED + number) * 256)}`;
  if (place >= 3 * FLUSHED) {
    const freed = 4 * FLUSHED - 1 - place;
    return ftrace(line, `consume_skb: ${memory(freed)} location=skb_defer_free_flush+0x70/0xb0`);
  }
  if (step === 0) return ftrace(line, `netif_receive_skb: dev=lo ${memory(within)} len=92`);
  if (step === 1) {
    return ftrace(line, 'sk_data_ready: family=2 protocol=17 func=sock_def_readable');
  }
  const reader = within % 7;
  const socket = address(2 ** 32 + reader * 1024);
  const told = `sk address = ${socket}, family = AF_INET protocol = 0x11, length = 64, error = 0, flags = 0x0`;
  return `         python3-${500 + reader} [001] ..... ${stamp(line)}: sock_recv_length: ${told}`;
}

/** Segments of no known flow come to this many CPUs, each of which is then told of without its address. */
const PROBED_CPUS = 256;
const PROBED = 2 * 64 * PROBED_CPUS;

function probedWithoutName(line) {
  const place = (line - 1) % PROBED;
  if (place < PROBED / 2) {
    const memory = `skbaddr=${address(line * 256)}`;
    return ftrace(line, `netif_receive_skb: dev=lo ${memory} len=1500`, place % PROBED_CPUS);
  }
  const ends = 'family=AF_INET src=127.0.0.1:5201 dest=127.0.0.1:48406 mark=0x0 data_len=60001';
  const state = 'snd_nxt=0x1 snd_una=0x1 snd_cwnd=10 ssthresh=2147483647 snd_wnd=283008 srtt=3492';
  const told = `tcp_probe: ${ends} ${state} rcv_wnd=65536 sock_cookie=101e`;
  return `         python3-500 [000] ..... ${stamp(line)}: ${told}`;
}

/** One task sleeps on all its sockets, as epoll_wait(2) does, and each datagram wakes it to read another one of them. */
function sleptOn(line) {
  const [turn, step] = [Math.floor((line - 1) / 6), (line - 1) % 6];
  const socket = address(2 ** 32 + turn * 1024);
  const memory = `skbaddr=${address(turn * 256)}`;
  switch (step) {
    case 0: {
      const [task, idle] = ['prev_comm=python3 prev_pid=500', 'next_comm=swapper/0 next_pid=0'];
      const told = `sched_switch: ${task} prev_prio=120 prev_state=S ==> ${idle} next_prio=120`;
      return `         python3-500 [000] d..2. ${stamp(line)}: ${told}`;
    }
    case 1:
      return ftrace(line, `netif_receive_skb: dev=lo ${memory} len=92`);
    case 2:
      return ftrace(line, 'sk_data_ready: family=2 protocol=17 func=sock_def_readable');
    case 3:
      return ftrace(line, 'sched_waking: comm=python3 pid=500 prio=120 target_cpu=000');
    case 4: {
      const [idle, task] = ['prev_comm=swapper/0 prev_pid=0', 'next_comm=python3 next_pid=500'];
      const told = `sched_switch: ${idle} prev_prio=120 prev_state=R ==> ${task} next_prio=120`;
      return ftrace(line, told);
    }
    default: {
      const told = `sk address = ${socket}, family = AF_INET protocol = 0x11, length = 64, error = 0, flags = 0x40`;
      return `         python3-500 [000] ..... ${stamp(line)}: sock_recv_length: ${told}`;
    }
  }
}

/** What is at the head of a shape's file, and each further line by its number from 1. */
const SHAPES = [
  {
    name: 'addresses aligned to 256 bytes',
    head: KNOWN,
    of: (line) => ftrace(line, `consume_skb: skbaddr=${address(line * 256)}`),
  },
  {
    name: 'one address for all',
    head: KNOWN,
    of: (line) => ftrace(line, `consume_skb: skbaddr=${address(256)}`),
  },
  {
    name: 'names of events that nobody knows',
    head: KNOWN,
    of: (line) => ftrace(line, `event_${line}: a=1`),
  },
  { name: 'lines that are no lines', head: KNOWN, of: (line) => `what is line ${line}?` },
  {
    name: 'records of one packet, all alike',
    head: '',
    of: (line) => `${line} id 6 seq 0 thread 1 ts ${stamp(line)} x90`,
  },
  {
    name: 'records of one packet, of all sizes',
    head: '',
    of: (line) =>
      `${line} id ${6 + (line % 2)} seq 0 thread 1 ts ${stamp(line)} x${1 + (line % 4096)}`,
  },
  {
    name: 'records of as many packets',
    head: '',
    of: (line) => `${line} id 6 seq ${line} thread 1 ts ${stamp(line)} x90`,
  },
  {
    name: 'sockets of one port',
    head: '',
    of: (line) =>
      `${line} ev sock_def_readable ts ${stamp(line)} cpu 0 ctx softirq pid 0 sk ${address(line * 1024)} sport 80`,
  },
  {
    name: 'processes',
    head: KNOWN,
    of: (line) =>
      ftrace(line, `sched_wakeup: comm=task${line} pid=${line + 1} prio=120 target_cpu=000`),
  },
  {
    name: 'CPUs',
    isShown: true,
    head: KNOWN,
    of: (line) => ftrace(line, 'softirq_raise: vec=3 [action=NET_RX]', line % 5000),
  },
  {
    name: 'records of one packet, all in a queue',
    head: '',
    of: (line) => `${line} id 9 seq 0 thread 1 ts ${stamp(line)} x90`,
  },
  {
    name: 'sockets, each with a datagram',
    isShown: true,
    head: '',
    of: (line) => received(line, `__udp_enqueue_schedule_skb ${sk(line)} ${skb(line)} len 64`),
  },
  {
    // Every unknown one is a warning.
    name: 'headers of probes that nobody knows',
    isShown: true,
    head: '# kperf 2\n',
    of: (line) => `# probe ${line} event_${line}`,
  },
  {
    name: 'sockets, each read once by one task',
    head: KNOWN,
    of: (line) => {
      const socket = address(2 ** 32 + line * 1024);
      const told = `sk address = ${socket}, family = AF_INET protocol = 0x11, length = 64, error = 0, flags = 0x0`;
      return `         python3-500 [001] ..... ${stamp(line)}: sock_recv_length: ${told}`;
    },
  },
  {
    name: 'kinds of objects in cache lines',
    head: '# kperf 2\n',
    of: (line) =>
      `${line} ev cache_line_state ts ${stamp(line)} cpu 0 oldstate shared newstate modified object o${line}`,
  },
  {
    name: 'flows',
    isShown: true,
    head: '',
    of: (line) =>
      received(
        line,
        `tcp_v4_rcv ${skb(line)} len 64 sport ${1 + (line % 50_000)} dport ${line >> 8}`,
      ),
  },
  {
    name: 'fragments of one datagram',
    head: '',
    of: (line) =>
      received(
        line,
        `inet_frag_queue_insert ${skb(line)} len 64 q ${address(0)} off ${line} end ${line + 1}`,
      ),
  },
  {
    name: 'segments in a chain of merges',
    head: '',
    of: (line) =>
      received(
        line,
        line % 2 === 0
          ? `skb_gro_receive ${skb(line - 3)} into ${address((line - 1) * 256)}`
          : `napi_gro_receive_entry ${skb(line)} len 64`,
      ),
  },
  {
    name: 'packets between lost events',
    head: '',
    of: (line) =>
      received(
        line,
        line % 2 === 0 ? 'lost_events count 1' : `napi_gro_receive_entry ${skb(line)} len 64`,
      ),
  },
  {
    name: 'reads that return and never began',
    head: '',
    of: (line) =>
      line % 2 === 0
        ? reading(line, 'udp_recvmsg_ret ret 64')
        : reading(line, `skb_consume_udp ${sk(0)} ${skb(line)} len 64`),
  },
  {
    name: 'copies of one read of a stream',
    head: '',
    of: (line) =>
      line % 2 === 0
        ? reading(line, `skb_copy_datagram_iter ${skb(0)} len 64 count 64`)
        : received(line, `tcp_queue_rcv ${sk(0)} ${skb(line)} len 64`),
  },
  { name: 'datagrams that another CPU reads', head: KNOWN, of: readElsewhere },
  { name: 'segments that tcp_probe does not name', head: KNOWN, of: probedWithoutName },
  { name: 'sleeps on as many sockets', head: KNOWN, of: sleptOn },
  {
    name: 'softirqs that never end',
    head: KNOWN,
    of: (line) => ftrace(line, 'softirq_entry: vec=3 [action=NET_RX]'),
  },
];

/**
 * The shapes, one after the other, each with its files at both sizes: a shape's files are written
 * when it is asked for, unless an earlier bench left them there.
 */
export const growthInputs = () => inputsOf(SHAPES, LINES);

/** Of those whose number the page could show in nodes or on the stage: runs to look at in the page. */
export const shownInputs = () =>
  inputsOf(
    SHAPES.filter(({ isShown }) => isShown),
    LINES_SHOWN,
  );

function* inputsOf(shapes, least) {
  const folder = join(cache, 'bench');
  mkdirSync(folder, { recursive: true });
  for (const { name, head, of } of shapes) {
    const inputs = [least, least * TIMES].map((lines) => {
      const path = join(folder, `growth ${name} ${lines} v${VERSION}.trace`);
      if (!existsSync(path)) {
        write(`${path}.part`, head, of, lines);
        renameSync(`${path}.part`, path);
      }
      return { path, lines };
    });
    yield { name, inputs };
  }
}

/** Writes a shape's lines, some at a time: the text of all need not fit into memory. */
function write(path, head, of, lines) {
  const file = openSync(path, 'w');
  writeSync(file, head);
  for (let from = 1; from <= lines; from += SOME) {
    const count = Math.min(SOME, lines + 1 - from);
    writeSync(file, Array.from({ length: count }, (_, line) => `${of(from + line)}\n`).join(''));
  }
  closeSync(file);
}

/** The power of the size with which a time grows. */
export const powerOf = ([small, large]) => Math.log(large / small) / Math.log(TIMES);
