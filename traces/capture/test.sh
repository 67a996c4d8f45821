#!/bin/sh
# Tests ringside-capture: prints TAP ("ok", "not ok", "# SKIP" with the reason). Exit status 1 if
# anything failed. Without root or tracefs it tests what is left, the command line and the
# messages, and says what it did not test. Traffic stays on loopback and between two network
# namespaces that it makes and removes. The kprobe half runs only on a kernel that has kprobes.
set -u
here=$(cd "$(dirname "$0")" && pwd)
capture=$here/ringside-capture
work=$(mktemp -d) || exit 1
chmod 755 "$work"
T='' count=0 failed=0 namespaces='' jobs=''

# shellcheck disable=SC2317  # reached by the trap below
finish() {
	for job in $jobs; do kill "$job" 2>/dev/null; done
	for name in $namespaces; do ip netns del "$name" 2>/dev/null; done
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

ok() { count=$((count + 1)); echo "ok $count - $1"; }
not_ok() { count=$((count + 1)); failed=$((failed + 1)); echo "not ok $count - $1"; [ ! -f "$work/err" ] || sed 's/^/# /' "$work/err"; }
skip() { count=$((count + 1)); echo "ok $count - $1 # SKIP $2"; }
check() { # NAME COMMAND...: ok when the command succeeds
	check_name=$1
	shift
	if "$@"; then ok "$check_name"; else not_ok "$check_name"; fi
}
run() { "$capture" "$@" >"$work/stdout" 2>"$work/err"; status=$?; }
says() { grep -q -- "$1" "$work/err"; }
refuses() { # NAME MESSAGE ARGS...: exit status 2 and a message
	refuses_name=$1 message=$2
	shift 2
	run "$@"
	{ [ $status -eq 2 ] && says "$message"; }
	check "$refuses_name" [ $? -eq 0 ]
}

# --- the command line: needs nothing
run -h
check 'help goes to stdout and exits 0' [ $status -eq 0 ] && check 'help names every option and what the file holds' \
	sh -c "for word in ' -d ' ' -b ' ' -o ' ' -i ' ' -n ' payload addresses; do grep -q -- \"\$word\" '$work/stdout' || exit 1; done"
run --help
check 'as a long option too' sh -c "[ $status -eq 0 ] && grep -q '^usage: ' '$work/stdout'"
refuses 'another long option is refused' 'options have one letter' -d 1 --seconds
refuses 'an unknown option is refused' 'unknown option -x' -x
refuses 'an option without its value is refused' '-d wants a value' -d
refuses 'a duration that is no number is refused' 'whole number' -d soon
refuses 'a duration of 0 is refused' 'from 1 to 3600' -d 0
refuses 'a duration of two hours is refused' 'from 1 to 3600' -d 7200
refuses 'a negative buffer is refused' 'whole number' -b -1
refuses 'a tiny buffer is refused' 'from 64' -b 1
refuses 'a number too long for the shell is refused' 'from 64 to 1048576, not 99999999999999999999' -b 99999999999999999999
refuses 'a buffer that is far too large is refused' 'from 64 to 1048576, not 99999999999' -b 99999999999
refuses 'an unknown device is refused' 'no network device' -i nosuchnic0
refuses 'a device name with quotes is refused' 'no network device' -i 'lo" || "'
refuses 'a folder beside the devices is none' 'no network device' -i ..
refuses 'nor is that of the devices' 'no network device' -i .
refuses 'an empty device is refused' '-i wants the name of a device' -i ''
refuses 'an empty file name is refused' '-o wants the name of a file' -o ''
refuses "the shell's own words are no command" "no command 'exit'" -o "$work/a.txt" -- exit 3
refuses 'nor is a folder' 'no command' -o "$work/a.txt" -- /
refuses 'a command that does not exist is refused' 'no command' -o "$work/a.txt" -- /nonexistent/command
: >"$work/there.txt"
refuses 'an existing file is not overwritten' 'exists already' -o "$work/there.txt"
check 'a refused call leaves no file' [ ! -e "$work/a.txt" ]
ln -s "$work/nowhere.txt" "$work/dangling.txt"
refuses 'a link that leads nowhere is not written through' 'exists already' -o "$work/dangling.txt"
long=$(printf '%0256d' 0)
refuses 'a file name that no file can have is refused' 'has 256 bytes' -o "$work/$long"
mkdir "$work/bin"
PATH=$work/bin /bin/sh "$capture" >"$work/stdout" 2>"$work/err"
{ [ $? -eq 1 ] && says "there is no 'cat' in PATH"; }
check 'without a tool that it needs it names it' [ $? -eq 0 ]
if command -v shellcheck >/dev/null; then
	check 'shellcheck finds nothing' shellcheck -x "$capture" "$0"
else
	skip 'shellcheck finds nothing' 'no shellcheck here'
fi

# --- without permission
plain() { # as a user who is not root
	if [ "$(id -u)" -ne 0 ]; then "$@"; else setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; fi
}
if plain cat "$capture" >/dev/null 2>&1; then
	plain "$capture" -o "$work/b.txt" >"$work/stdout" 2>"$work/err"
	status=$?
	{ [ $status -eq 1 ] && says 'needs root'; }
	check 'without root it says so and exits 1' [ $? -eq 0 ]
else
	skip 'without root it says so and exits 1' 'cannot run it as another user here'
fi

# --- with tracefs
for dir in /sys/kernel/tracing /sys/kernel/debug/tracing; do
	[ -z "$T" ] && [ -w "$dir/instances" ] && T=$dir
done
if [ -z "$T" ] && [ "$(id -u)" -eq 0 ] && mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null; then
	T=/sys/kernel/tracing
	trap 'finish; umount /sys/kernel/tracing' EXIT
fi
if [ -z "$T" ]; then
	for name in 'recording' 'restoring' 'interrupting' 'network namespaces' 'filter by device' 'mounting tracefs' 'kprobes'; do
		skip "$name" 'needs root and tracefs'
	done
	echo "1..$count"
	[ $failed -eq 0 ]
	exit
fi

state() { # everything a tracer could have changed outside its instance
	for file in tracing_on trace_clock current_tracer buffer_size_kb set_event trace_options; do
		echo "$file: $(cat "$T/$file")"
	done
	grep . "$T"/events/enable "$T"/events/*/enable
	cat "$T/kprobe_events" 2>/dev/null
	ls "$T/instances" /run/ringside-capture 2>/dev/null
	grep tracefs /proc/mounts
	for nap in $(pgrep -x sleep); do tr '\0' ' ' <"/proc/$nap/cmdline"; done 2>/dev/null | grep -o 'sleep 3[0-9][0-9][0-9]' # its timer
}
same_state() { state >"$work/after" 2>/dev/null; diff "$work/before" "$work/after"; }
state >"$work/before" 2>/dev/null
if [ -d "$T/instances/ringside-capture" ]; then
	echo "Bail out! $T/instances/ringside-capture is in use"
	exit 1
fi
text() { case $1 in *.gz) gzip -dc "$1" ;; *) cat "$1" ;; esac; }
has() { text "$1" | grep -q -- "$2"; }

run -b 1048576 -o "$work/c.txt"
{ [ $status -eq 1 ] && says 'free memory'; } || [ "$(sed -n 's/^MemAvailable: *\([0-9]*\).*/\1/p' /proc/meminfo)" -gt 4194304 ]
check 'more buffer than a quarter of the free memory is refused' [ $? -eq 0 ]
rm -f "$work/c.txt"
run -o /nonexistent/c.txt
{ [ $status -eq 1 ] && says 'cannot write /nonexistent/c.txt: there is no folder /nonexistent/'; }
check 'a file in a folder that is not there is refused' [ $? -eq 0 ]
check "in our words alone, and none of the shell's" [ "$(grep -c '' "$work/err")" -eq 1 ]
check 'after refusals all is as before' same_state

# A shell has options from its command line, bash from the environment too; those of the caller are not the recorder's.
for shell in 'dash -e' 'dash -f' 'dash -C' 'bash -e' 'bash --posix -e' 'env SHELLOPTS=errexit bash' 'env SHELLOPTS=noglob bash' 'busybox sh -e'; do
	name="$shell records all and puts it back"
	tool=${shell#env * }
	tool=${tool%% *}
	command -v "$tool" >/dev/null || { skip "$name" "no $tool here"; continue; }
	# shellcheck disable=SC2086  # a command and its words
	$shell "$capture" -d 1 -b 64 -o "$work/options.txt" -- sh -c 'exit 3' >"$work/stdout" 2>"$work/err"
	{ [ $? -eq 3 ] && has "$work/options.txt" "^# cpus: $(set -- "$T"/per_cpu/cpu*; echo $#)$" && ! says 'No such file' && same_state; }
	check "$name" [ $? -eq 0 ]
	rm -f "$work/options.txt"
done

run -d 1 -o "$work/plain.txt"
check 'one second is recorded' [ $status -eq 0 ]
check "the kernel's header comes first" sh -c "[ \"\$(head -1 '$work/plain.txt')\" = '# tracer: nop' ]"
check 'the head names the format' has "$work/plain.txt" '^# ringside-capture 1$'
for word in kernel machine cpus 'clock: mono' events kprobes addresses buffer lost; do
	check "the head says \"$word\"" has "$work/plain.txt" "^# $word"
done
check 'scheduler and softirq events are in it' has "$work/plain.txt" ': sched_switch: '
said=$(sed -n 's/.*: \([0-9]*\) lines, .*/\1/p' "$work/err")
check 'it says how many lines it wrote' [ "${said:-0}" -eq "$(grep -c '' "$work/plain.txt")" ]
check 'no file is left beside it' [ ! -e "$work/plain.txt.part" ]
check 'only its owner can read the file' [ "$(stat -c %a "$work/plain.txt")" = 600 ]
check 'after a recording all is as before' same_state

run -d 01 -b 08000 -o "$work/zeros.txt"
check 'numbers may begin with zeros' [ $status -eq 0 ]
check 'and are decimal' has "$work/zeros.txt" '^# buffer: 8000 KiB'
(cd "$work" && "$capture" -d 1 -o -dash.txt 2>"$work/err")
check 'a file name may begin with a dash' [ -s "$work/-dash.txt" ]
run -d 9 -o "$work/escapes.txt" -- printf 'one\ntwo\n'
check 'a command is in the head as it was given' has "$work/escapes.txt" '^# command: printf one\\ntwo\\n$'
# A comment of a recording may have 4 KiB (wasm-core/core/src/import/ftrace/mod.rs: LONGEST_COMMENT).
run -d 9 -o "$work/endless.txt" -- true "$(printf '%0100000d' 0)"
check 'a command too long for a line is cut, which is told' sh -c "grep '^# command: true 0' '$work/endless.txt' | grep -q '0 (cut here)$'"
check 'and the line is one that can be read' [ "$(grep '^# command: ' "$work/endless.txt" | wc -c)" -le 4096 ]
run -d 9 -o "$work/umask.txt" -- sh -c "umask >'$work/umask'"
check 'a command has the umask that it was given' [ "$(cat "$work/umask")" = "$(umask)" ]
echo mine >"$work/target"
ln -s "$work/target" "$work/linked.txt.part"
run -d 1 -o "$work/linked.txt"
check 'a link beside the file leads it nowhere' [ "$(cat "$work/target")" = mine ]
# shellcheck disable=SC2016
run -d 9 -o "$work/swapped.txt" -- sh -c 'part=$(echo "$0".*); rm "$part"; ln -s target "$part"' "$work/swapped.txt"
check 'nor does one that takes the place of the work file' [ "$(cat "$work/target")" = mine ]
check 'and the recording is a file of its own' sh -c "[ ! -h '$work/swapped.txt' ] && grep -q ': sched_switch: ' '$work/swapped.txt'"
mkdir "$work/gone"
run -d 9 -o "$work/gone/a.txt" -- rm -r "$work/gone"
{ [ $status -eq 1 ] && says "could not write $work/gone/a.txt"; }
check 'a folder that goes meanwhile is told' [ $? -eq 0 ]
run -d 9 -o "$work/folder.txt" -- mkdir "$work/folder.txt"
kept=$(sed -n 's/.*the recording is in //p' "$work/err")
check 'a folder that appears meanwhile is left as it is' rmdir "$work/folder.txt"
check 'and the recording is beside it, which is told' has "${kept:-/dev/null}" ': sched_switch: '
(GZIP=-d && export GZIP && "$capture" -d 1 -o "$work/options.txt.gz" 2>"$work/err")
check "gzip's options of the environment do not spoil it" gzip -t "$work/options.txt.gz"
run -d 9 -o "$work/appears.txt" -- sh -c "echo mine >'$work/appears.txt'"
check 'a file that appears meanwhile is left as it is' [ "$(cat "$work/appears.txt")" = mine ]
kept=$(sed -n 's/.*the recording is in //p' "$work/err")
check 'and the recording is kept beside it' has "${kept:-/dev/null}" ': sched_switch: '
check 'after odd names all is as before' same_state

before=$(date +%s)
run -d 30 -o "$work/command.txt.gz" -- sh -c 'sleep 1; exit 3'
check 'a command ends the recording' [ $(($(date +%s) - before)) -lt 15 ]
check 'a .gz name gives a gzip file' gzip -t "$work/command.txt.gz"
check 'the command is in the head' has "$work/command.txt.gz" '^# command: sh -c sleep 1; exit 3'
{ [ $status -eq 3 ] && says 'the command ended with status 3$'; }
check 'a command that fails is told, also by the status' [ $? -eq 0 ]
printf '#!/nonexistent/interpreter\n' >"$work/script" && chmod 755 "$work/script"
run -d 9 -o "$work/script.txt" -- "$work/script"
{ [ $status -eq 3 ] && says 'it could not be started'; }
check 'so is one that cannot be started' [ $? -eq 0 ]
check 'and the file is written' has "$work/script.txt" ': sched_switch: '
before=$(date +%s)
naps=0
for turn in 1 2 3 4 5 6 7 8; do
	run -d 3333 -o "$work/short$turn.txt" -- true
	! pkill -x -f 'sleep 3333' || naps=$((naps + 1))
done
check 'a command that ends at once leaves no timer behind' [ $naps -eq 0 ]
run -d 1 -o "$work/long.txt" -- sleep 3599
check 'time ends a command' [ $(($(date +%s) - before)) -lt 15 ]
check 'it says that it ended the command' says 'ended the command'
run -d 1 -o "$work/nested.txt" -- sh -c 'sleep 3598; true'
check 'and what the command started' sh -c '! pgrep -x -f "sleep 3598"'
# shellcheck disable=SC2016  # $$ is for the inner shell
run -d 1 -o "$work/deaf.txt" -- sh -c 'trap "" TERM; echo $$ >"$0"; while :; do sleep 0.2; done' "$work/deaf"
check 'a command that does not heed TERM is killed' sh -c "! kill -0 $(cat "$work/deaf") 2>/dev/null"
check 'and it says so' says 'did not end, it was killed'
# shellcheck disable=SC2016
run -d 1 -o "$work/tidy.txt" -- sh -c 'trap "sleep 0.3; echo done >\"$0\"; exit" TERM; while :; do sleep 0.1; done' "$work/tidy"
check 'a command has time to end by itself' [ -s "$work/tidy" ]
check 'after commands all is as before' same_state

# shellcheck source=traces/capture/test-ends.sh
. "$here/test-ends.sh"

# --- packets: loopback, then two namespaces joined by a veth pair
if command -v python3 >/dev/null && command -v ip >/dev/null; then
	traffic=$here/traffic.py
	run -d 20 -o "$work/lo.txt.gz" -- python3 "$traffic" 127.0.0.1 both
	check 'loopback traffic is recorded' [ $status -eq 0 ]
	for event in net_dev_queue net_dev_start_xmit netif_rx netif_receive_skb napi_poll consume_skb; do
		check "loopback: $event is in it" has "$work/lo.txt.gz" ": $event: "
	done
	check 'no payload is in it' sh -c "! gzip -dc '$work/lo.txt.gz' | grep -v '^#' | grep -q 'abcdefgh'"
	namespaces="rsctest-a-$$ rsctest-b-$$"
	a=rsctest-a-$$ b=rsctest-b-$$
	if ip netns add "$a" 2>/dev/null && ip netns add "$b" && ip -n "$a" link add veth0 type veth peer name veth0 netns "$b"; then
		ip -n "$a" addr add 192.0.2.1/24 dev veth0 && ip -n "$a" link set veth0 up
		ip -n "$b" addr add 192.0.2.2/24 dev veth0 && ip -n "$b" link set veth0 up
		: >"$work/serve"
		ip netns exec "$b" python3 "$traffic" 192.0.2.2 serve >"$work/serve" &
		serving=$!
		jobs="$jobs $serving"
		tries=0
		until grep -q ready "$work/serve" || [ $tries -gt 50 ]; do tries=$((tries + 1)); sleep 0.2; done
		run -d 20 -o "$work/veth.txt" -- ip netns exec "$a" python3 "$traffic" 192.0.2.2 send
		check 'traffic between two namespaces is recorded' has "$work/veth.txt" ': netif_receive_skb: dev=veth0'
		check 'UDP is in it: net_dev_start_xmit on veth0' has "$work/veth.txt" 'net_dev_start_xmit: dev=veth0'
		check 'TCP is in it: inet_sock_set_state' has "$work/veth.txt" 'inet_sock_set_state: .*TCP_ESTABLISHED'
		check 'nothing was lost' has "$work/veth.txt" '^# lost: 0$'
		# veth1.x is in a namespace that no process is in, and so is not in /proc.
		kill "$serving" 2>/dev/null
		ip -n "$a" link set veth0 down
		ip -n "$a" link set veth0 name veth1.x
		run -d 1 -i veth1.x -o "$work/elsewhere.txt"
		check '-i takes a device that is in another network namespace alone' has "$work/elsewhere.txt" '^# nic: veth1.x$'
		refuses 'and no name that only looks like it' 'no network device' -i veth1-x
		ip netns del "$a"
		ip netns del "$b"
		namespaces=''
	else
		skip 'traffic between two namespaces is recorded' 'no network namespaces or no veth here'
	fi
	run -d 20 -i lo -o "$work/only-lo.txt" -- python3 "$traffic" 127.0.0.1 both
	check '-i keeps the device' has "$work/only-lo.txt" ': netif_rx: dev=lo '
	check '-i leaves no other device in net events' sh -c "! grep -E ': (net|napi_gro)[a-z_]*: dev=' '$work/only-lo.txt' | grep -v 'dev=lo '"
	run -d 5 -b 64 -o "$work/small.txt" -- python3 "$traffic" 127.0.0.1 flood
	lost=$(sed -n 's/^# lost: //p' "$work/small.txt")
	check 'a buffer too small is told: events lost' [ "${lost:-0}" -gt 0 ]
	check 'after all this, all is as before' same_state
else
	skip 'packets on loopback and veth' 'needs python3 and ip for the traffic'
fi

# --- tracefs not mounted: in a mount namespace of its own
if [ "$T" = /sys/kernel/tracing ] && command -v unshare >/dev/null && unshare -m true 2>/dev/null; then
	# shellcheck disable=SC2016  # expanded by the inner shell
	unshare -m sh -c '
		umount /sys/kernel/tracing 2>/dev/null
		umount /sys/kernel/debug 2>/dev/null
		[ ! -d /sys/kernel/tracing/events ] || exit 99
		"$1" -d 1 -o "$2" 2>"$3" || exit 1
		[ ! -d /sys/kernel/tracing/events ]' sh "$capture" "$work/mounted.txt" "$work/err"
	case $? in
	0) ok 'where tracefs is not mounted it mounts it and unmounts it again' ;;
	99) skip 'where tracefs is not mounted it mounts it' 'tracefs cannot be unmounted here' ;;
	*) not_ok 'where tracefs is not mounted it mounts it and unmounts it again' ;;
	esac
else
	skip 'where tracefs is not mounted it mounts it' 'no mount namespaces, or tracefs is elsewhere'
fi

# --- tracefs unmounted while it records: in a mount namespace of its own, where it is mounted once
if [ "$T" = /sys/kernel/tracing ] && command -v unshare >/dev/null && unshare -m true 2>/dev/null; then
	# shellcheck disable=SC2016
	unshare -m sh -c '
		until ! umount -l /sys/kernel/tracing 2>/dev/null; do :; done
		umount -l /sys/kernel/debug 2>/dev/null
		mount -t tracefs nodev /sys/kernel/tracing || exit 99
		"$1" -d 5 -o "$2" 2>"$3" -- umount -l /sys/kernel/tracing
		[ $? -eq 0 ] && [ ! -d /sys/kernel/tracing/events ]' sh "$capture" "$work/unmounted.txt" "$work/err"
	case $? in
	99) skip 'where tracefs is unmounted meanwhile it writes all the same' 'tracefs cannot be mounted here' ;;
	0) has "$work/unmounted.txt" ': sched_switch: ' && says 'was unmounted while it recorded' && ! says 'No such file'
		check 'where tracefs is unmounted meanwhile it writes all the same' [ $? -eq 0 ] ;;
	*) not_ok 'where tracefs is unmounted meanwhile it writes all the same' ;;
	esac
	check 'and nothing is left of it' [ ! -d "$T/instances/ringside-capture" ]
	# A mount(8) that fails.
	mkdir "$work/no-mount"
	printf '#!/bin/sh\nexit 1\n' >"$work/no-mount/mount"
	chmod 755 "$work/no-mount/mount"
	# shellcheck disable=SC2016
	PATH=$work/no-mount:$PATH unshare -m sh -c '
		"$1" -d 5 -o "$2" 2>"$3" -- sh -c "until ! umount -l /sys/kernel/tracing; do :; done; umount -l /sys/kernel/debug"
		[ $? -eq 1 ]' sh "$capture" "$work/lost.txt" "$work/err" &&
		says 'nothing was written' && says 'its tracing instance is left' && ! says 'wrote' && ! says 'No such file' && [ ! -e "$work/lost.txt" ]
	check 'where it cannot be mounted again it says what happened' [ $? -eq 0 ]
	run -d 1 -o "$work/after-lost.txt"
	{ [ $status -eq 0 ] && says 'removed the tracing instance'; }
	check 'and the next run puts back what is left' [ $? -eq 0 ]
else
	skip 'where tracefs is unmounted meanwhile it writes all the same' 'no mount namespaces, or tracefs is elsewhere'
fi

# --- kprobes
if [ -w "$T/kprobe_events" ] && command -v ping >/dev/null; then
	echo 'p:rsctest/mine ip_rcv' >>"$T/kprobe_events"
	state >"$work/before" 2>/dev/null
	run -d 20 -o "$work/kprobes.txt" -- ping -c 2 127.0.0.1
	check 'kprobe events are in it' has "$work/kprobes.txt" ': ip_rcv: (ip_rcv+0x'
	check 'strings are not lost to real addresses' sh -c "! grep -qE ' (dev|name)= ' '$work/kprobes.txt'"
	check 'after kprobes all is as before, another one'\''s probe is still there' same_state
	run -n -d 1 -o "$work/no-kprobes.txt"
	check '-n uses none' has "$work/no-kprobes.txt" '^# kprobes: none'
	echo '-:rsctest/mine' >>"$T/kprobe_events"
else
	skip 'kprobes are made, recorded and removed' "this kernel has no kprobes, or there is no ping"
fi

echo "1..$count"
[ $failed -eq 0 ]
