/**
 * Counts the instructions of the kernel's functions and the lines of memory that these lie in, without any probe:
 * boots a kernel in an emulator that writes down each instruction, with wasm-core/counted/guest.c as its only process,
 * and prints for each kind of call which function has how many.
 *
 *   node .ci/count-instructions.mjs VMLINUZ > wasm-core/counted/linux-6.1.txt
 *
 * Needs QEMU of 7 (`-singlestep`), a C compiler with a static libc, and cpio. Takes some minutes and a GB.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { SetupError, entry } from './shell.mjs';

/** Programs that it takes, each with a question that it answers. */
const NEEDED = [
  ['cc', '--version'],
  ['cpio', '--version'],
  ['qemu-system-x86_64', '--version'],
];

const BOOT =
  'console=ttyS0 nokaslr mitigations=off tsc=reliable clocksource=tsc nowatchdog audit=0 quiet';

/** The functions to which instructions are counted: each has those of all it calls that are not named here. */
const FUNCTIONS = `
  entry_SYSCALL_64 syscall_return_via_sysret do_syscall_64 syscall_exit_to_user_mode sockfd_lookup_light
  __sys_sendto __sys_recvfrom udp_sendmsg ip_make_skb ip_send_skb __alloc_skb kmalloc_reserve
  _copy_from_iter _copy_to_iter __ip_queue_xmit ip_output ip_finish_output2 __dev_queue_xmit
  dev_hard_start_xmit loopback_xmit tcp_wfree sock_wfree __netif_rx __local_bh_enable_ip handle_softirqs
  net_rx_action process_backlog __netif_receive_skb ip_rcv ip_rcv_core ip_rcv_finish_core
  ip_local_deliver ip_protocol_deliver_rcu udp_rcv udp_queue_rcv_skb __udp_enqueue_schedule_skb
  sock_def_readable udp_recvmsg __skb_recv_udp skb_copy_datagram_iter skb_consume_udp tcp_sendmsg
  lock_sock_nested tcp_sendmsg_locked tcp_push sk_page_frag_refill tcp_write_xmit skb_clone
  __tcp_transmit_skb tcp_v4_rcv __inet_lookup_established tcp_v4_do_rcv tcp_rcv_established tcp_ack
  __tcp_ack_snd_check tcp_data_queue tcp_queue_rcv tcp_data_ready tcp_add_backlog tcp_recvmsg
  tcp_recvmsg_locked tcp_cleanup_rbuf __tcp_cleanup_rbuf tcp_rcv_space_adjust release_sock
  tcp_release_cb tcp_send_ack __tcp_send_ack tcp_try_coalesce skb_try_coalesce __kfree_skb
  skb_attempt_defer_free skb_release_data kfree_skbmem schedule __schedule pick_next_task_fair
  dequeue_task_fair enqueue_task_fair psi_task_switch switch_mm_irqs_off __switch_to_asm __switch_to
  finish_task_switch __wake_up_sync_key __wake_up_common woken_wake_function autoremove_wake_function
  receiver_wake_function try_to_wake_up wait_woken sk_wait_data __skb_wait_for_more_packets
  prepare_to_wait_exclusive schedule_timeout
  __sys_socket sock_alloc_file inet_create __sys_connect __inet_stream_connect tcp_v4_connect
  __inet_hash_connect tcp_connect tcp_rcv_state_process tcp_conn_request tcp_make_synack tcp_check_req
  tcp_v4_syn_recv_sock __inet_lookup_listener inet_csk_complete_hashdance __sys_accept4 do_accept
  inet_csk_accept task_work_run __fput __sock_release tcp_close tcp_fin tcp_time_wait
  tcp_timewait_state_process inet_csk_destroy_sock sk_destruct ip_do_fragment ip_defrag
  inet_frag_queue_insert inet_frag_reasm_prepare inet_frag_reasm_finish
`
  .trim()
  .split(/\s+/);

/** No instruction is longer. */
const LONGEST = 15;
const USER = 'user';
/** What the guest talks to its console with; it is in no window. */
const CONSOLE = ['readv', 'writev'];
const LINE_BITS = 6n;

/** What a program prints that has to be there. */
function tool(command, args, options = {}) {
  try {
    return execFileSync(command, args, options);
  } catch (error) {
    throw new SetupError(`${command}: ${error.message}`);
  }
}

/** Boots the kernel; which symbols it has, and the emulator's log of each window. */
async function run(image, folder) {
  const guest = join(import.meta.dirname, '..', 'wasm-core', 'counted', 'guest.c');
  tool('cc', ['-O2', '-static', '-o', join(folder, 'init'), guest]);
  const cpio = tool('cpio', ['-o', '-H', 'newc'], { cwd: folder, input: 'init\n' });
  writeFileSync(join(folder, 'initrd'), gzipSync(cpio));
  const emulator = spawn(
    'qemu-system-x86_64',
    [
      ...['-machine', 'pc', '-accel', 'tcg,thread=single', '-icount', 'shift=0', '-cpu', 'Nehalem'],
      ...['-m', '512', '-singlestep', '-display', 'none', '-no-reboot'],
      ...['-kernel', image, '-initrd', join(folder, 'initrd'), '-append', BOOT],
      ...['-serial', `unix:${join(folder, 'serial')},server=on,wait=on`],
      ...['-monitor', 'stdio'],
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  process.on('exit', () => emulator.kill());
  const asked = [];
  let ended;
  const ends = (how) => {
    ended ??= new SetupError(`QEMU ${how}; what it says of it stands above, if anything`);
    for (const { reject } of asked.splice(0)) reject(ended);
  };
  emulator.on('error', (error) => ends(`could not be started: ${error.message}`));
  emulator.on('exit', (status, signal) => ends(`ended early (${signal ?? `status ${status}`})`));
  // Writing to one that has ended fails as well, and says less.
  emulator.stdin.on('error', () => {});
  let said = '';
  emulator.stdout.on('data', (chunk) => {
    said += chunk;
    if (!said.endsWith('(qemu) ')) return;
    said = '';
    asked.shift()?.resolve();
  });
  const prompt = () =>
    new Promise((resolve, reject) => {
      if (ended === undefined) asked.push({ resolve, reject });
      else reject(ended);
    });
  const ask = (command) => {
    const answered = prompt();
    emulator.stdin.write(`${command}\n`);
    return answered;
  };
  await prompt();
  const serial = connect(join(folder, 'serial'));
  // Where QEMU ends, the lines end, and that it did is the error.
  serial.on('error', () => {});
  const symbols = [];
  const windows = [];
  let isOver = false;
  for await (const line of createInterface({ input: serial })) {
    const [what, ...words] = line.trim().split(' ');
    if (what === '@symbol') symbols.push([BigInt(`0x${words[0]}`), words[1]]);
    isOver = what === '@over';
    if (isOver) break;
    if (what === '@begin') {
      const log = join(folder, `${words[0]}.log`);
      windows.push({ name: words[0], turns: Number(words[1]), log });
      await ask(`logfile ${log}`);
      await ask('log exec,nochain');
      serial.write('.');
    }
    if (what === '@end') {
      await ask('log none');
      serial.write('.');
    }
  }
  serial.destroy();
  emulator.kill();
  if (!isOver) throw ended ?? new SetupError('the guest ended before it was through');
  return { symbols: symbols.sort(([a], [b]) => (a < b ? -1 : Number(a > b))), windows };
}

/**
 * Prints a window: how many lines of code are fetched anew in a turn once all turns are alike, and for each
 * system call the functions it ran, in the order in which they came.
 */
async function tell(name, turns, log, symbols) {
  const calls = new Map();
  const fetched = [];
  const count = new Counting(symbols, (call, costs) => {
    if (call === undefined || CONSOLE.includes(call)) return;
    fetched.push(count.cache.fetched);
    const all = calls.get(call) ?? { times: 0, costs: new Map() };
    calls.set(call, all);
    all.times += 1;
    for (const [label, { instructions, lines }] of costs) {
      const sum = all.costs.get(label) ?? { instructions: 0, lines: 0 };
      all.costs.set(label, sum);
      sum.instructions += instructions;
      sum.lines += lines.size;
    }
  });
  for await (const line of createInterface({ input: createReadStream(log) })) {
    const at = /^Trace \d+: \S+ \[[0-9a-f]+\/([0-9a-f]+)\//.exec(line)?.[1];
    if (at !== undefined) count.instruction(BigInt(`0x${at}`));
  }
  const half = fetched.length >> 1;
  const again =
    (fetched.at(-1) - fetched[half - 1]) / ((turns * (fetched.length - half)) / fetched.length);
  console.log(
    `${name}: a first cache of ${FirstCache.KIB} KiB fetches ${again.toFixed(1)} lines a turn`,
  );
  for (const [call, { times, costs }] of calls) {
    console.log(
      `${name}: ${call}, ${times} times in ${turns} turns, instructions and lines of each`,
    );
    for (const [label, { instructions, lines }] of costs) {
      const column = (sum) => (sum / times).toFixed(1).padStart(10);
      console.log(`${column(instructions)}${column(lines)}  ${label}`);
    }
  }
}

/** A core's first cache of instructions: in each set those of its lines that were wanted last. */
class FirstCache {
  static KIB = 32;
  static WAYS = 8;
  fetched = 0;
  #sets = Array.from(
    { length: ((FirstCache.KIB << 10) >> Number(LINE_BITS)) / FirstCache.WAYS },
    () => [],
  );

  fetch(line) {
    const set = this.#sets[Number(line % BigInt(this.#sets.length))];
    const at = set.indexOf(line);
    if (at >= 0) set.splice(at, 1);
    else this.fetched += 1;
    set.push(line);
    if (set.length > FirstCache.WAYS) set.shift();
  }
}

/**
 * Follows calls and returns from one instruction to the next. A jump to where a function begins is a call; one to
 * just behind a call on the stack is the return from it.
 */
class Counting {
  #stack = [];
  #costs = new Map();
  #call;
  #label = 'other';
  #before;
  cache = new FirstCache();

  constructor(symbols, tell) {
    this.starts = symbols.map(([at]) => at);
    this.names = symbols.map(([, name]) => name.replace(/\.(?:constprop|isra|part)\.\d+$/, ''));
    this.isStart = new Map(symbols.map(([at], index) => [at, index]));
    this.wanted = new Set(FUNCTIONS);
    this.tell = tell;
  }

  instruction(at) {
    const line = at >> LINE_BITS;
    this.cache.fetch(line);
    if (at < 0xffff800000000000n) {
      if (this.#before !== USER) this.#leaves();
      this.#before = USER;
      return;
    }
    const before = this.#before === USER ? undefined : this.#before;
    const start = this.isStart.get(at);
    if (start !== undefined) this.#enters(this.names[start], before);
    else if (before === undefined || at <= before || at > before + BigInt(LONGEST)) {
      this.#returns(at, before);
    }
    let cost = this.#costs.get(this.#label);
    if (cost === undefined) {
      cost = { instructions: 0, lines: new Set() };
      this.#costs.set(this.#label, cost);
    }
    cost.instructions += 1;
    cost.lines.add(line);
    this.#before = at;
  }

  #enters(name, from) {
    this.#stack.push({ name, from });
    if (name.startsWith('__x64_sys_')) this.#call ??= name.slice('__x64_sys_'.length);
    this.#relabel();
  }

  #returns(at, before) {
    const caller = this.#stack.findLastIndex(
      ({ from }) => from !== undefined && from < at && at <= from + BigInt(LONGEST),
    );
    if (caller >= 0) this.#stack.length = caller;
    else if (before === undefined || this.#nameOf(before) !== this.#nameOf(at)) {
      // Another task's stack.
      this.#stack.push({ name: this.#nameOf(at) });
    }
    this.#relabel();
  }

  /** The innermost function that is wanted; what an interrupt does is no call's. */
  #relabel() {
    const found = this.#stack.findLast(
      ({ name }) => this.wanted.has(name) || /^asm_(?:sysvec|common)/.test(name),
    );
    this.#label = found?.name.startsWith('asm_') ? 'interrupts' : (found?.name ?? 'other');
  }

  #nameOf(at) {
    let [low, high] = [0, this.starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= at) low = middle + 1;
      else high = middle;
    }
    return this.names[low - 1] ?? 'other';
  }

  #leaves() {
    this.#costs.delete('interrupts');
    this.tell(this.#call, this.#costs);
    this.#stack = [];
    this.#costs = new Map();
    this.#call = undefined;
    this.#label = 'other';
  }
}

await entry(async () => {
  const kernel = process.argv[2];
  if (kernel === undefined)
    throw new SetupError('which kernel? node .ci/count-instructions.mjs VMLINUZ');
  if (!existsSync(kernel)) throw new SetupError(`${kernel}: there is no such file`);
  for (const [command, ask] of NEEDED) tool(command, [ask]);
  const folder = mkdtempSync(join(tmpdir(), 'counted-'));
  try {
    const { symbols, windows } = await run(kernel, folder);
    for (const { name, turns, log } of windows) await tell(name, turns, log, symbols);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
