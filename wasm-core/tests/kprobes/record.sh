#!/bin/sh
# How the recordings beside this file were made: `record.sh FOLDER`, as root in a guest of QEMU that does nothing else (kernel
# 6.12 of Debian 12, and 6.1.192 for those whose names begin with it; one thread for its two CPUs, as with two the emulator trips over a kernel that changes its own code), with
# ringside-capture, iperf3, ip and wg. Afterwards the lines of the scheduler but sched_waking, of interrupts, and of a few
# kprobes that no packet passes were taken out, and each file was packed by gzip -9n.
set -eu

for module in veth bridge wireguard vxlan gre l2tp_eth l2tp_netlink; do modprobe "$module"; done
ip link set lo up
ip link add br0 type bridge
ip link set br0 up
for n in a b; do
	ip netns add "$n"
	ip link add "v$n" type veth peer name e0
	ip link set e0 netns "$n"
	ip link set "v$n" master br0 up
	ip -n "$n" link set lo up
	ip -n "$n" link set e0 up
done
ip -n a addr add 192.0.2.1/24 dev e0
ip -n b addr add 192.0.2.2/24 dev e0
ip -n a -6 addr add 2001:db8::1/64 dev e0 nodad
ip -n b -6 addr add 2001:db8::2/64 dev e0 nodad

keys=$(mktemp -d)
wg genkey >"$keys/a"
wg genkey >"$keys/b"
# tunnels NAMESPACE PEER NUMBER PEER-NUMBER
tunnels() {
	ip -n "$1" link add wg0 type wireguard
	ip netns exec "$1" wg set wg0 listen-port 51820 private-key "$keys/$1" \
		peer "$(wg pubkey <"$keys/$2")" allowed-ips 198.51.100.0/24 endpoint "192.0.2.$4:51820"
	ip -n "$1" link add vx0 type vxlan id 7 dstport 4789 local "192.0.2.$3" remote "192.0.2.$4"
	ip -n "$1" link add gre1 type gre local "192.0.2.$3" remote "192.0.2.$4"
	ip -n "$1" l2tp add tunnel tunnel_id 1 peer_tunnel_id 1 encap udp \
		local "192.0.2.$3" remote "192.0.2.$4" udp_sport 5000 udp_dport 5000
	ip -n "$1" l2tp add session tunnel_id 1 session_id 1 peer_session_id 1
	ip -n "$1" addr add "198.51.100.$3/24" dev wg0
	ip -n "$1" addr add "203.0.113.$3/30" dev vx0
	ip -n "$1" addr add "203.0.113.$((4 + $3))/30" dev gre1
	ip -n "$1" addr add "203.0.113.$((32 + $3))/30" dev l2tpeth0
	for device in wg0 vx0 gre1 l2tpeth0; do ip -n "$1" link set "$device" up; done
}
tunnels a b 1 2
tunnels b a 2 1

ip netns exec b iperf3 -s -D
iperf3 -s -D -p 5301
sleep 1
record() {
	name=$1
	shift
	ringside-capture -o "$folder/$name.txt" -- "$@"
}
folder=$1
in_a='ip netns exec a iperf3 -c'
# Each word of it is one of the command.
# shellcheck disable=SC2086
{
	record wireguard-tcp $in_a 198.51.100.2 -n 60K
	record wireguard-udp $in_a 198.51.100.2 -u -b 4M -n 20K -l 1000
	record vxlan-fragments $in_a 203.0.113.2 -n 60K
	record gre-tcp $in_a 203.0.113.6 -n 100K
	record l2tp-udp $in_a 203.0.113.34 -u -b 4M -n 20K -l 1000
	record bridge-tcp $in_a 192.0.2.2 -n 500K
	record bridge-tcp6 $in_a 2001:db8::2 -n 500K
	record bridge-nodelay $in_a 192.0.2.2 -N -l 300 -n 20K
	record bridge-udp-fragments $in_a 192.0.2.2 -u -b 10M -n 40K -l 5000
}
record loopback-tcp3 iperf3 -p 5301 -c 127.0.0.1 -P 3 -n 1M
