/** What is said to a screen reader when much happens at about the same time. */
import { beforeEach, expect, test } from 'vitest';
import { Announcer } from './announcer.svelte.ts';

let ms: number;
let announcer: Announcer;

beforeEach(() => {
  ms = 0;
  announcer = new Announcer(() => ms);
});

const spoken = () => announcer.lines.map(({ text }) => text);

/** All that one step can make the page say, in the order in which it comes. */
function step(): void {
  announcer.say('packet 7, ip_rcv at 12 µs.');
  ms += 40;
  announcer.tell('focus', 'Receive queue. 3 of 212 packets.');
  announcer.tell('caption', 'IP takes the packet.');
  announcer.tell('term', 'ip_rcv: IP receives.');
}

test('of a step the answer and the caption are said, and nothing else', () => {
  step();
  expect(spoken()).toEqual(['packet 7, ip_rcv at 12 µs.', 'IP takes the packet.']);
  expect(announcer.sentence).toBe('packet 7, ip_rcv at 12 µs.');
});

test('a less urgent voice is silenced by a more urgent one that comes just after it', () => {
  announcer.tell('term', 'ip_rcv: IP receives.');
  announcer.tell('focus', 'Receive queue.');
  expect(spoken()).toEqual(['Receive queue.']);
  announcer.say('The link is copied.');
  expect(spoken()).toEqual(['The link is copied.']);
});

test('a finding is said instead of the caption of its moment', () => {
  announcer.say('Playing.');
  announcer.tell('finding', 'The ring was full.');
  announcer.tell('caption', 'A frame is dropped.');
  expect(spoken()).toEqual(['Playing.', 'The ring was full.']);
});

test('whoever was kept back is heard later', () => {
  step();
  ms += 2000;
  expect(announcer.tell('focus', 'Receive queue. 4 of 212 packets.')).toBe(true);
  expect(spoken()).toEqual(['Receive queue. 4 of 212 packets.']);
});

test('a moment that is told anew is said once, an answer that is given again is said again', () => {
  announcer.tell('caption', 'IP takes the packet.');
  const [first] = announcer.lines;
  ms += 20;
  expect(announcer.tell('caption', 'IP takes the packet.')).toBe(false);
  expect(announcer.lines).toEqual([first]);
  announcer.say('Select a packet first.');
  const { count } = announcer;
  announcer.say('Select a packet first.');
  expect(announcer.count).toBe(count + 1);
  expect(spoken()).toEqual(['IP takes the packet.', 'Select a packet first.']);
  expect(new Set(announcer.lines.map(({ id }) => id)).size).toBe(2);
});

test('while film runs its captions are said every few seconds, the latest only', () => {
  for (; ms < 12_000; ms += 1000) announcer.mention(`caption ${ms / 1000}`);
  expect(spoken()).toEqual(['caption 10']);
});

test('what was said is taken back by an empty answer', () => {
  step();
  announcer.say('');
  expect(spoken()).toEqual([]);
  expect(announcer.sentence).toBe('');
});
