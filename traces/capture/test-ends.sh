#!/bin/sh
# The part of test.sh, which reads it, about how recordings end: two at a time, signals, kill -9. Whatever ends one, all is
# as it was before, at once or after the next run.
# shellcheck disable=SC2154  # what it uses is test.sh's

"$capture" -d 20 -o "$work/first.txt" 2>"$work/first.err" &
first=$!
jobs="$jobs $first"
tries=0
until [ "$(cat "$T/instances/ringside-capture/tracing_on" 2>/dev/null)" = 1 ] || [ $tries -gt 100 ]; do tries=$((tries + 1)); sleep 0.2; done
run -d 1 -o "$work/second.txt"
{ [ $status -eq 1 ] && says 'another ringside-capture'; }
check 'a second one at the same time is refused' [ $? -eq 0 ]
check 'and does not disturb the first' [ "$(cat "$T/instances/ringside-capture/tracing_on" 2>/dev/null)" = 1 ]
kill -TERM $first
wait $first
check 'TERM ends it with status 143' [ $? -eq 143 ]
check 'and what was recorded is written' has "$work/first.txt" ': sched_switch: '
check 'after TERM all is as before' same_state

# Two that start at once: the moment in which one has all that is its own but its instance.
if command -v flock >/dev/null; then
	exec 7<"$T/instances"
	flock 7
	run -d 1 -o "$work/locked.txt"
	{ [ $status -eq 1 ] && says 'another ringside-capture is running'; }
	check 'one that starts in the same moment is refused' [ $? -eq 0 ]
	exec 7<&-
	check 'and leaves no file' sh -c "! ls '$work'/locked.txt* 2>/dev/null"
	for turn in 1 2 3 4; do
		"$capture" -d 1 -o "$work/one$turn.txt" 2>"$work/one.err" &
		one=$!
		"$capture" -d 1 -o "$work/other$turn.txt" 2>"$work/err" &
		wait $!
		other=$?
		wait $one
		echo "$? $other" >>"$work/ends"
	done
	check 'of two that start at once one records' sh -c "! grep -vx '0 1\|1 0' '$work/ends'"
	check 'and all is as before' same_state
else
	skip 'one that starts in the same moment is refused' 'no flock(1)'
fi

for signal in TERM HUP; do # while it is still setting up: no waiting for "recording"
	"$capture" -d 20 -o "$work/early-$signal.txt" 2>"$work/err" &
	early=$!
	jobs="$jobs $early"
	# Not a moment before: a signal between fork and exec is the test's own, and lost.
	until [ -d "$T/instances/ringside-capture" ] || ! kill -0 $early 2>/dev/null; do :; done
	kill -$signal $early
	wait $early
	status=$?
	check "$signal during set-up ends it" [ $status -gt 128 ]
	check "after $signal during set-up all is as before" same_state
done

running() { # waits until the recording of process $1 runs
	until [ "$(cat "$T/instances/ringside-capture/tracing_on" 2>/dev/null)" = 1 ] || ! kill -0 "$1" 2>/dev/null; do sleep 0.2; done
}

# timeout(1) signals its process and then its group: the second time must not throw away what is there.
"$capture" -d 20 -o "$work/twice.txt" 2>"$work/err" &
twice=$!
jobs="$jobs $twice"
running $twice
kill -TERM $twice
while [ "$(cat "$T/instances/ringside-capture/tracing_on" 2>/dev/null)" = 1 ]; do :; done
kill -TERM $twice
wait $twice
check 'a signal that comes twice ends it once' has "$work/twice.txt" ': sched_switch: '
check 'and all is as before it' same_state

# Who reads its messages goes away: that is no reason to lose the recording.
"$capture" -d 1 -o "$work/pipe.txt" 2>&1 | head -c1 >/dev/null
check 'without a reader of its messages it records all the same' has "$work/pipe.txt" ': sched_switch: '
check 'and all is as before' same_state

# Nor is it when a signal says so while it waits.
"$capture" -d 30 -o "$work/piped.txt" -- sh -c "until [ -e '$work/piped' ]; do sleep 0.1; done" 2>"$work/err" &
piped=$!
jobs="$jobs $piped"
running $piped
kill -PIPE $piped
: >"$work/piped"
wait $piped
check 'PIPE ends no recording' [ $? -eq 0 ]
check 'and it is written when its command ends' has "$work/piped.txt" ': sched_switch: '
check 'after PIPE all is as before' same_state

# A name with no room for a work file's beside it, and one of the longest.
for letters in 248 249 255; do
	long=$(printf '%0*d' $letters 0)
	run -n -d 1 -o "$work/$long"
	{ [ $status -eq 0 ] && has "$work/$long" ': sched_switch: '; }
	check "a file whose name has $letters letters is written" [ $? -eq 0 ]
done
check 'and no work file is left' sh -c "! ls '$work'/ringside-capture.* 2>/dev/null"

# A shell starts background jobs with SIGQUIT ignored, and what is ignored cannot be trapped.
quits=$(command -v env) && "$quits" --default-signal=QUIT true 2>/dev/null || quits=''
if [ -n "$quits" ]; then
	"$quits" --default-signal=QUIT "$capture" -d 20 -o "$work/quit.txt" 2>"$work/err" &
	quit=$!
	jobs="$jobs $quit"
	running $quit
	kill -QUIT $quit
	wait $quit
	check 'QUIT ends it with status 131' [ $? -eq 131 ]
	check 'and what was recorded is written' has "$work/quit.txt" ': sched_switch: '
	check 'after QUIT all is as before' same_state
else
	skip 'QUIT ends it with status 131' 'this env(1) cannot give a signal its default'
fi

for signal in USR1 USR2 ABRT PROF VTALRM SYS PWR; do # the first two are a question to dd(1) and others
	"$capture" -d 20 -o "$work/$signal.txt" 2>"$work/err" &
	asked=$!
	jobs="$jobs $asked"
	running $asked
	kill -$signal $asked
	wait $asked
	check "$signal ends it and what was recorded is written" has "$work/$signal.txt" ': sched_switch: '
	check "after $signal all is as before" same_state
done

# shellcheck disable=SC2016  # $$ is for the inner shell
run -d 1 -o "$work/stopped.txt" -- sh -c 'echo $$ >"$0"; kill -STOP $$; exec sleep 3500' "$work/stopped"
check 'a command that was stopped is ended too' sh -c "! kill -0 $(cat "$work/stopped") 2>/dev/null"

"$capture" -d 3000 -o "$work/killed.txt" 2>/dev/null -- sleep 3599 &
killed=$!
jobs="$jobs $killed"
running $killed
kill -KILL $killed
wait $killed 2>/dev/null
check 'kill -9 leaves its instance behind' [ -d "$T/instances/ringside-capture" ]
left=$(ls "$work"/killed.txt.*)
check 'and its work file' [ -f "$left" ]
mkdir "$T/instances/ringside"
: >"$work/killed.txt.AAAAAA"
run -d 1 -o "$work/next.txt"
check 'the next run removes what it left' [ $status -eq 0 ]
check 'and says so' says 'left behind'
check 'the work file as well' [ ! -e "$left" ]
check 'which is said' says "removed $left, the work file of a killed run"
check 'and no other' [ -e "$work/killed.txt.AAAAAA" ]
check "somebody else's instance is still there" rmdir "$T/instances/ringside"
check 'its timer is ended' sh -c '! pgrep -x -f "sleep 3000"'
check 'and the command, which may be at work, is not' pkill -x -f 'sleep 3599'
# Killed in the very moment in which its work file is there: ls(1) asks for its number then.
mkdir "$work/moment"
cat >"$work/moment/ls" <<'END'
#!/bin/sh
[ -e "${0%/*}/over" ] || { : >"${0%/*}/over"; kill -KILL "$RECORDER"; }
END
chmod 755 "$work/moment/ls"
# shellcheck disable=SC2016
PATH=$work/moment:$PATH sh -c 'RECORDER=$$; export RECORDER; exec "$@"' sh "$capture" -d 1 -o "$work/moment.txt" 2>/dev/null
check 'kill -9 may find its work file still empty' sh -c "[ -e '$work/moment/over' ] && [ -e '$work'/moment.txt.* ]"
run -d 1 -o "$work/after-moment.txt"
check 'the next run removes that too' sh -c "[ ! -e '$work'/moment.txt.* ]"
# The timer of one that was killed may find the next one's recording, and a stranger under its number.
if unshare -pf --mount-proc true 2>/dev/null; then
	# shellcheck disable=SC2016
	unshare -pf --mount-proc sh -c '
		running() { until [ "$(cat "$1/instances/ringside-capture/tracing_on" 2>/dev/null)" = 1 ]; do sleep 0.1; done; }
		"$2" -d 2 -o "$3/timed.txt" 2>/dev/null &
		killed=$!
		running "$1"
		kill -KILL $killed
		wait $killed 2>/dev/null
		echo $((killed - 1)) >/proc/sys/kernel/ns_last_pid
		sleep 3497 &
		stranger=$!
		[ $stranger -eq $killed ] || exit 99
		timer=$(ps -o ppid= -p "$(pgrep -x -f "sleep 2")")
		"$2" -d 3497 -o "$3/after-timed.txt" 2>/dev/null &
		next=$!
		running "$1"
		while kill -0 $timer 2>/dev/null; do sleep 0.1; done
		kill -0 $stranger
		lives=$?
		kill -TERM $next
		wait $next
		exit $lives' sh "$T" "$capture" "$work" 2>/dev/null
	case $? in
	0) ok 'the timer of one that was killed ends nobody else' ;;
	99) skip 'the timer of one that was killed ends nobody else' 'its number cannot be given again here' ;;
	*) not_ok 'the timer of one that was killed ends nobody else' ;;
	esac
else
	skip 'the timer of one that was killed ends nobody else' 'no PID namespaces here'
fi
# Its work file's name may be another's file by then.
"$capture" -d 3000 -o "$work/renamed.txt" 2>/dev/null &
killed=$!
jobs="$jobs $killed"
running $killed
kill -KILL $killed
wait $killed 2>/dev/null
left=$(ls "$work"/renamed.txt.*)
mv "$left" "$work/moved" && echo mine >"$left"
run -d 1 -o "$work/after-renamed.txt"
check 'what stands in the place of the work file is left' [ "$(cat "$left")" = mine ]
check 'after kill -9 and a next run all is as before' same_state

# A signal ends the tool that runs just then as well, and what that did not do has not failed.
mkdir "$work/tools"
printf '#!/bin/sh\nread -r capture <"%s" && kill -TERM "$capture"\nexit 143\n' "$work/number" >"$work/tools/mktemp"
chmod 755 "$work/tools/mktemp"
PATH=$work/tools:$PATH sh -c 'echo $$ >"$1"; exec "$2" -d 1 -o "$3"' sh "$work/number" "$capture" "$work/early.txt" 2>"$work/err"
check 'a signal before the recording is said to be no failure' [ "$? $(cat "$work/err")" = '143 ' ]

# Ctrl-C. A shell starts background jobs with SIGINT ignored, so timeout(1) sends it: to the process
# and then to its group, so it comes twice, the second time perhaps when the file is being written.
if command -v timeout >/dev/null && timeout -s INT 1 sh -c "trap 'echo caught >\"$work/int\"' INT; sleep 3 & wait"; [ -e "$work/int" ]; then
	# It sends it when its own time is over, which ALRM tells it: as soon as the recording runs.
	{
		until [ "$(cat "$T/instances/ringside-capture/tracing_on" 2>/dev/null)" = 1 ]; do sleep 0.2; done
		sleep 1
		pkill -ALRM -x -P $$ timeout
	} &
	jobs="$jobs $!"
	timeout -s INT 60 "$capture" -n -d 3000 -o "$work/int.txt" 2>"$work/err"
	check 'INT ends it and the file is written' has "$work/int.txt" ': sched_switch: '
	check 'after INT all is as before' same_state
else
	skip 'INT ends it and the file is written' 'no timeout(1), or SIGINT is ignored here'
fi
