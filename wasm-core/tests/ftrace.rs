//! What a run looks like as ftrace text. That it is the same run when it is read again is
//! in `round_trip.rs`.

use expect_test::expect;
use ringside::export;
use ringside::import::{Import, Imported};
use ringside::kernel::{Context, CpuId, Event, Field, Nanos, Origin, Pid, Probe};
use ringside::run::{Run, RunBuilder};

fn import(bytes: &[u8]) -> Imported {
    let mut import = Import::new();
    import.push(bytes);
    import.finish().expect("it imports")
}

fn ftrace(run: &Run) -> String {
    let mut text = Vec::new();
    export::ftrace(run, &mut text).expect("a vector takes any bytes");
    String::from_utf8(text).expect("ftrace is text")
}

/// A line of a recording goes out as the kernel printed it, but for what no event holds
/// (offsets of places, the flags beside the context, arguments that are not needed).
#[test]
fn most_lines_keep_the_words_of_the_kernel() {
    let words = "
          <idle>-0       [002] ..s1.     1.000001000: softirq_entry: vec=3 [action=NET_RX]
          <idle>-0       [002] d.h1.     1.000002000: irq_handler_entry: irq=30 name=virtio1-req uests
          <idle>-0       [002] d.h1.     1.000003000: irq_handler_exit: irq=30 ret=handled
          <idle>-0       [002] ..s1.     1.000004000: napi_poll: napi poll on napi struct ffff88800628ec30 for device eth0 work 1 budget 64
          <idle>-0       [002] ..s1.     1.000005000: netif_receive_skb: dev=eth0 skbaddr=ffff8880083fab00 len=60
          <idle>-0       [002] ..s1.     1.000006000: napi_gro_receive: (napi_gro_receive) napi=0xffff88800628ec30 skb=0xffff8880083fab00 len=60 ipid_be=0x9dfe frag_be=0x40 proto=6 sport_be=0x5ed9 dport_be=0x8a13
          <idle>-0       [002] ..s1.     1.000007000: e1000_clean: (e1000_clean) napi=0xffff88800628ec30 budget=64
          <idle>-0       [002] ..s1.     1.000008000: e1000_clean_ret: (e1000_clean) work=1
CPU:1 [LOST 7 EVENTS]
    tmux: server-325     [001] .....     1.000009000: net_dev_xmit: dev=eth0 skbaddr=ffff8880083fab00 len=74 rc=0
    tmux: server-325     [001] .....     1.000010000: kfree_skb: skbaddr=ffff8880083fab00 rx_sk=ffff8880083fa000 protocol=2048 location=ip_rcv+0x1/0x2 reason: NO_SOCKET
    tmux: server-325     [001] .....     1.000011000: udp_rcv: (udp_rcv) skb=0xffff88807ff1e600 len=72 sport_be=0x93b1 dport_be=0x9013 mark=0xffffffffffffffff thr_be=0x1000000 pkt_be=0x0
    tmux: server-325     [001] .....     1.000012000: tcp_v4_do_rcv: (tcp_v4_do_rcv) sk=0xffff888019b08000 num=5002 rmem=0 rcvbuf=131072 rqlen=0 backlog=0 owned=0 skb=0xffff8880083fab00 len=40
    tmux: server-325     [001] .....     1.000013000: sys_recvfrom(fd: 0x4, size: 0x1000)
    tmux: server-325     [001] .....     1.000014000: sys_recvfrom -> 0xfffffffffffffff5
    tmux: server-325     [001] .....     1.000015000: sched_wakeup: comm=tmux: server pid=325 prio=120 target_cpu=001
    tmux: server-325     [001] .....     1.000016000: sched_switch: prev_comm=tmux: server prev_pid=325 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
    tmux: server-325     [001] .....     1.000017000: tcp_probe: src=192.0.2.2:5002 dest=192.0.2.1:55646 data_len=1448 snd_nxt=0xb2ed97ae snd_una=0xb2ed97ae snd_cwnd=10 ssthresh=2147483647 snd_wnd=64256 srtt=210 rcv_wnd=65160 sock_cookie=8
";
    let written = ftrace(&import(words.as_bytes()).run);
    let lines: Vec<&str> = written
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    assert_eq!(lines, words.lines().skip(1).collect::<Vec<_>>());
}

/// A run as the simulator makes it, with what only a model knows.
fn simulated() -> Run {
    let mut run = RunBuilder::new(Origin::Simulated);
    run.metadata("kernel", "2.6.3");
    run.comm(Pid(7), "iperf");
    run.comm(Pid(8), "two words");
    run.comm(Pid(9), "a=b");
    let (skb, sk) = (run.address(0x100), run.address(0xffff_8880_0000_1000));
    let (lock, object) = (run.name("socket lock"), run.name("run \"queue\""));
    let (state, dev) = (run.name("S"), run.name("eth0"));
    let mut push = |time, probe, context, pid, fields: &[(Field, u32)]| {
        run.push(Event {
            cpu: CpuId(1),
            context,
            pid: Pid(pid),
            skb,
            sk,
            ..Event::new(Nanos(time), probe)
        });
        for &(field, value) in fields {
            run.field(field, value);
        }
    };
    let fields = [(Field::Dev, dev.0), (Field::Depth, 3), (Field::Limit, 256)];
    push(1, Probe::RxDma, Context::Unknown, u32::MAX, &fields);
    let fields = [(Field::Waited, 20_000), (Field::Depth, 3)];
    push(2, Probe::RxItr, Context::Unknown, u32::MAX, &fields);
    let fields = [(Field::Lock, lock.0), (Field::FromCpu, 0)];
    push(3, Probe::ContentionBegin, Context::Spinning, 7, &fields);
    let fields = [(Field::Lock, lock.0), (Field::Waited, 310)];
    push(4, Probe::ContentionEnd, Context::Kernel, 7, &fields);
    let fields = [
        (Field::FromCpu, 0),
        (Field::Lines, 23),
        (Field::Cycles, 4600),
        (Field::Object, object.0),
        (Field::Clone, 1),
    ];
    push(5, Probe::CacheLineMove, Context::Softirq, 7, &fields);
    let fields = [(Field::Lines, 23), (Field::Name, dev.0)];
    push(6, Probe::CacheLineFill, Context::User, 7, &fields);
    push(7, Probe::RunQueue, Context::Kernel, 7, &[(Field::Depth, 2)]);
    let fields = [(Field::TargetPid, 8), (Field::Slice, 99)];
    push(8, Probe::TimeSlice, Context::Kernel, 8, &fields);
    push(
        9,
        Probe::ProbeCost,
        Context::Kernel,
        9,
        &[(Field::Cost, 500)],
    );
    let fields = [
        (Field::PrevPid, 9),
        (Field::PrevState, state.0),
        (Field::NextPid, 8),
    ];
    run.push(Event {
        cpu: CpuId(0),
        context: Context::Kernel,
        pid: Pid(9),
        ..Event::new(Nanos(10), Probe::SchedSwitch)
    });
    for (field, value) in fields {
        run.field(field, value);
    }
    run.finish()
}

#[test]
fn a_simulated_run_keeps_all_that_only_a_model_knows() {
    let run = simulated();
    let text = ftrace(&run);
    expect![[r##"
        # tracer: nop
        #
        # entries-in-buffer/entries-written: 10/10   #P:2
        #
        #                                _-----=> irqs-off/BH-disabled
        #                               / _----=> need-resched
        #                              | / _---=> hardirq/softirq
        #                              || / _--=> preempt-depth
        #                              ||| / _-=> migrate-disable
        #                              |||| /     delay
        #           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
        #              | |         |   |||||     |         |
        # ringside: simulated
        # priorities: unknown
        # metadata kernel: 2.6.3
        # comm 9 a=b
                   <...>-4294967295 [001]      0.000000001: rx_dma: (rx_dma) sk=0xffff888000001000 dev="eth0" skb=0x100 depth=3 limit=256
                   <...>-4294967295 [001]      0.000000002: rx_itr: (rx_itr) sk=0xffff888000001000 skb=0x100 waited=20000 depth=3
                   iperf-7       [001] .....     0.000000003: contention_begin: (contention_begin) sk=0xffff888000001000 skb=0x100 lock="socket lock" from_cpu=0 .ctx=spinning
                   iperf-7       [001] .....     0.000000004: contention_end: (contention_end) sk=0xffff888000001000 skb=0x100 lock="socket lock" waited=310
                   iperf-7       [001] ..s1.     0.000000005: cache_line_move: (cache_line_move) sk=0xffff888000001000 skb=0x100 from_cpu=0 lines=23 cycles=4600 .object=run%20"queue" clone=1
                   iperf-7       [001] .....     0.000000006: cache_line_fill: (cache_line_fill) sk=0xffff888000001000 skb=0x100 lines=23 name="eth0" .ctx=user
                   iperf-7       [001] .....     0.000000007: run_queue: (run_queue) sk=0xffff888000001000 skb=0x100 depth=2
               two words-8       [001] .....     0.000000008: time_slice: (time_slice) sk=0xffff888000001000 skb=0x100 pid=8 slice=99
                   <...>-9       [001] .....     0.000000009: probe_cost: (probe_cost) sk=0xffff888000001000 skb=0x100 cost=500
                   <...>-9       [000] .....     0.000000010: sched_switch: prev_comm=<...> prev_pid=9 prev_prio=120 prev_state=S ==> next_comm=two words next_pid=8 next_prio=120
    "##]].assert_eq(&text);
    let again = import(text.as_bytes());
    assert_eq!(again.run.origin, Origin::Simulated);
    assert_eq!(again.run.metadata, run.metadata);
    assert_eq!(again.run.fingerprint(), run.fingerprint());
}
