#!/bin/sh
# Records the load twice at once: by ftrace, as text, and by perf, on the same clock.
set -eu
events="net:netif_rx net:netif_receive_skb net:net_dev_queue net:net_dev_start_xmit net:net_dev_xmit \
skb:consume_skb skb:kfree_skb skb:skb_copy_datagram_iovec irq:softirq_raise irq:softirq_entry \
irq:softirq_exit sched:sched_switch sched:sched_wakeup sched:sched_waking sock:inet_sock_set_state \
tcp:tcp_probe napi:napi_poll sock:sock_recv_length sock:sock_send_length sock:sk_data_ready"
instance=/sys/kernel/tracing/instances/differential
mkdir $instance
echo 0 > $instance/tracing_on
echo mono > $instance/trace_clock
selected=
for event in $events; do
  echo 1 > "$instance/events/$(echo "$event" | tr : /)/enable"
  selected="$selected -e $event"
done
# shellcheck disable=SC2086
perf record -q -a -k CLOCK_MONOTONIC $selected -o perf.data -- \
  /usr/bin/python3 load.py $instance/tracing_on
# What the load's threads did while both recorded: a CPU's other tasks are no part of it. When a
# thread leaves its CPU for good (state X), perf knows its name no more.
grep -E '^#|^ *python3-' $instance/trace | grep -v prev_state=X > trace.txt
rmdir $instance
window=$(awk '/^#/ { next } { sub(":", "", $4); if (!from) from = $4; to = $4 } END { print from, to }' trace.txt)
perf script --ns -i perf.data | awk -v window="$window" '
  BEGIN { split(window, limit, " ") }
  $1 == "python3" { at = $4; sub(":", "", at) } $1 == "python3" && at + 2e-6 >= limit[1] && at - 2e-6 <= limit[2]
' > perf-script.txt
