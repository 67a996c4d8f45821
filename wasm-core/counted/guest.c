/*
 * The first and only process of the guest in which .ci/count-instructions.mjs counts instructions. It prints the
 * kernel's symbols, and then makes calls, a few of each kind: before and behind those that are to
 * be counted it writes a line to the console and waits for an answer.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

enum { WARM = 500, COUNTED = 16 };

static int console;
static char data[1 << 17];

/* No window has readv and writev: what the console costs is told from them. */
static void say(const char *line)
{
	struct iovec bytes = { (void *)line, strlen(line) };
	if (writev(console, &bytes, 1) < 0)
		_exit(1);
}

static void await_answer(void)
{
	char answer = 0;
	struct iovec byte = { &answer, 1 };
	while (answer != '.' && readv(console, &byte, 1) == 1)
		;
}

/* What comes until window_ends() is counted, in so many turns. */
static void window_begins(const char *name, int turns)
{
	char line[80];
	snprintf(line, sizeof line, "@begin %s %d\n", name, turns);
	say(line);
	await_answer();
}

static void window_ends(void)
{
	say("@end\n");
	await_answer();
}

static void print_symbols(void)
{
	FILE *symbols = fopen("/proc/kallsyms", "r");
	char line[300], name[200], type;
	unsigned long address;
	while (symbols && fgets(line, sizeof line, symbols)) {
		if (sscanf(line, "%lx %c %199s", &address, &type, name) != 3)
			continue;
		if (!strchr("tTwW", type) || address < 0xffffffff81000000)
			continue;
		snprintf(line, sizeof line, "@symbol %lx %s\n", address, name);
		say(line);
	}
}

/* Two sockets of the loopback device: what the first sends the second receives. */
struct ends {
	int sender, receiver;
};

static struct ends connected(int type)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t length = sizeof at;
	struct ends ends;
	int one = 1, other = socket(AF_INET, type, 0);
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	bind(other, (void *)&at, sizeof at);
	getsockname(other, (void *)&at, &length);
	if (type == SOCK_STREAM)
		listen(other, 1);
	ends.sender = socket(AF_INET, type, 0);
	connect(ends.sender, (void *)&at, sizeof at);
	ends.receiver = other;
	if (type == SOCK_STREAM) {
		ends.receiver = accept(other, 0, 0);
		close(other);
		setsockopt(ends.sender, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
		setsockopt(ends.receiver, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	}
	return ends;
}

static void send_all(struct ends ends, int bytes)
{
	if (send(ends.sender, data, bytes, 0) != bytes)
		say("a send was cut\n");
}

static void receive_all(struct ends ends, int bytes)
{
	int got = 0;
	while (got < bytes)
		got += recv(ends.receiver, data, bytes, 0);
}

/* A message is sent and read by one task, so that nobody sleeps. */
static void messages_between(struct ends ends, const char *name, int bytes)
{
	for (int i = 0; i < WARM; i++) {
		send_all(ends, bytes);
		receive_all(ends, bytes);
	}
	window_begins(name, COUNTED);
	for (int i = 0; i < COUNTED; i++) {
		send_all(ends, bytes);
		receive_all(ends, bytes);
	}
	window_ends();
	close(ends.sender);
	close(ends.receiver);
}

static void messages(const char *name, int type, int bytes)
{
	messages_between(connected(type), name, bytes);
}

/* What `ringside measure-host` times as a packet's buffer: a byte between two sockets without a network. */
static void buffers(void)
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) < 0)
		say("no sockets\n");
	messages_between((struct ends){ pair[0], pair[1] }, "buffers", 1);
}

/* What it times as a switch: two tasks of one CPU answer each other through pipes. */
static void pipes(void)
{
	int there[2], back[2];
	char byte = 0;
	if (pipe(there) < 0 || pipe(back) < 0)
		say("no pipes\n");
	if (fork() == 0) {
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
	}
	for (int i = 0; i < WARM + COUNTED; i++) {
		if (i == WARM)
			window_begins("pipes", COUNTED);
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			say("a pipe ended\n");
	}
	window_ends();
}

/* The calls of host/src/code.rs, of which each drives out the code of others. */
struct things {
	int pipe[2], pair[2], event, file;
};

static void in_a_row(struct things *of)
{
	struct pollfd both[2] = { { of->pipe[0], POLLIN, 0 }, { of->pair[1], POLLIN, 0 } };
	struct sockaddr_storage name;
	socklen_t length = sizeof name;
	struct stat stat;
	unsigned long cpus[16];
	long long one = 1;
	char byte = 1;
	int value;

	getppid();
	write(of->pipe[1], &byte, 1);
	read(of->pipe[0], &byte, 1);
	send(of->pair[0], &byte, 1, 0);
	recv(of->pair[1], &byte, 1, 0);
	write(of->event, &one, sizeof one);
	read(of->event, &one, sizeof one);
	fstatat(AT_FDCWD, "/dev/null", &stat, 0);
	pread(of->file, &byte, 1, 1);
	poll(both, 2, 0);
	sched_yield();
	fcntl(of->file, F_GETFL);
	length = sizeof value;
	getsockopt(of->pair[0], SOL_SOCKET, SO_RCVBUF, &value, &length);
	length = sizeof name;
	getsockname(of->pair[0], (void *)&name, &length);
	access("/dev/null", R_OK);
	pwrite(of->file, &byte, 1, 1);
	fstat(of->file, &stat);
	lseek(of->file, 0, SEEK_END);
	syscall(SYS_sched_getaffinity, 0, sizeof cpus, cpus);
	ftruncate(of->file, 3);
}

static void row(void)
{
	struct things things;
	if (pipe(things.pipe) < 0 || socketpair(AF_UNIX, SOCK_DGRAM, 0, things.pair) < 0)
		say("no row\n");
	things.event = eventfd(0, 0);
	things.file = memfd_create("code", 0);
	pwrite(things.file, "\1\1\1", 3, 0);
	for (int i = 0; i < WARM; i++)
		in_a_row(&things);
	window_begins("row", COUNTED);
	for (int i = 0; i < COUNTED; i++)
		in_a_row(&things);
	window_ends();
}

/* Several segments wait in the receive queue, and join there; one call reads them. */
static void joined(const char *name, int bytes)
{
	struct ends ends = connected(SOCK_STREAM);
	for (int i = 0; i < WARM; i++) {
		send_all(ends, bytes);
		receive_all(ends, bytes);
	}
	window_begins(name, COUNTED);
	for (int i = 0; i < COUNTED; i++)
		send_all(ends, bytes);
	receive_all(ends, COUNTED * bytes);
	window_ends();
	close(ends.sender);
	close(ends.receiver);
}

/* Two tasks of one CPU answer each other, a byte each way. */
static void rounds(const char *name, int type)
{
	struct ends there = connected(type), back = there;
	if (type == SOCK_DGRAM)
		back = connected(type);
	else
		back = (struct ends){ there.receiver, there.sender };
	if (fork() == 0) {
		for (;;) {
			receive_all(there, 1);
			send_all(back, 1);
		}
	}
	for (int i = 0; i < WARM; i++) {
		send_all(there, 1);
		receive_all(back, 1);
	}
	window_begins(name, COUNTED);
	for (int i = 0; i < COUNTED; i++) {
		send_all(there, 1);
		receive_all(back, 1);
	}
	window_ends();
}

/* One task opens a connection, takes it, and closes it, the server's end first, which is the one that waits. */
static void connection(int listener, struct sockaddr_in *at)
{
	int far, near = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(near, (void *)at, sizeof *at) < 0)
		say("no connection\n");
	far = accept(listener, 0, 0);
	close(far);
	close(near);
}

static void connections(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t length = sizeof at;
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	bind(listener, (void *)&at, sizeof at);
	getsockname(listener, (void *)&at, &length);
	listen(listener, 1);
	for (int i = 0; i < WARM; i++)
		connection(listener, &at);
	window_begins("connections", COUNTED);
	for (int i = 0; i < COUNTED; i++)
		connection(listener, &at);
	window_ends();
	close(listener);
}

static void loopback_takes(int bytes)
{
	int any = socket(AF_INET, SOCK_DGRAM, 0);
	struct ifreq request = { .ifr_name = "lo", .ifr_mtu = bytes };
	ioctl(any, SIOCSIFMTU, &request);
	close(any);
}

static void loopback_comes_up(void)
{
	int any = socket(AF_INET, SOCK_DGRAM, 0);
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	ioctl(any, SIOCSIFFLAGS, &request);
	close(any);
}

int main(void)
{
	struct termios raw;
	mkdir("/dev", 0755);
	mkdir("/proc", 0755);
	mount("devtmpfs", "/dev", "devtmpfs", 0, 0);
	mount("proc", "/proc", "proc", 0, 0);
	console = open("/dev/ttyS0", O_RDWR);
	tcgetattr(console, &raw);
	cfmakeraw(&raw);
	tcsetattr(console, TCSANOW, &raw);
	print_symbols();
	loopback_comes_up();
	window_begins("calls", COUNTED);
	for (int i = 0; i < COUNTED; i++)
		getppid();
	window_ends();
	buffers();
	pipes();
	row();
	messages("datagrams-64", SOCK_DGRAM, 64);
	messages("datagrams-1024", SOCK_DGRAM, 1024);
	messages("segments-1", SOCK_STREAM, 1);
	messages("segments-1024", SOCK_STREAM, 1024);
	messages("segments-32768", SOCK_STREAM, 32768);
	joined("joined-4096", 4096);
	rounds("rounds-segments", SOCK_STREAM);
	rounds("rounds-datagrams", SOCK_DGRAM);
	connections();
	loopback_takes(1500);
	messages("fragments-2", SOCK_DGRAM, 2048);
	messages("fragments-6", SOCK_DGRAM, 8192);
	say("@over\n");
	reboot(RB_POWER_OFF);
	return 0;
}
