/** Helper of tests: an address over a bar that is only a list, with what the page does to it. */
import type { Core } from '../core/core.ts';
import { fakeCore } from '../core/fake-core.ts';
import { Address, type Past } from './address.svelte.ts';
import { createRingside } from './context.ts';

export function scene(link: string, calls: Partial<Core> = {}) {
  const history = [link];
  const idle: (() => void)[] = [];
  const ringside = createRingside(fakeCore(calls));
  const { session } = ringside;
  const open = {
    recording: (slug: string) =>
      slug === 'loopback'
        ? session.open([], { kind: 'bundled', slug, title: 'Loopback' })
        : Promise.resolve(false),
    scenario: (scenario: string) => session.simulate(scenario),
    lesson: () => Promise.resolve(undefined),
    beside: () => Promise.resolve(true),
  };
  const pasts: (Past | undefined)[] = [undefined];
  const gone: number[] = [];
  const bar = {
    fragment: () => history.at(-1) ?? '',
    past: () => pasts.at(-1),
    replace: (fragment: string, past: Past) => {
      history.splice(-1, 1, fragment);
      pasts.splice(-1, 1, past);
    },
    push: (fragment: string, past: Past) => {
      history.push(fragment);
      pasts.push(past);
    },
    go: (by: number) => void gone.push(by),
    whenIdle: (task: () => void) => void idle.push(task),
  };
  const address = new Address(ringside, bar, open);
  const settle = () => idle.splice(0).forEach((task) => task());
  /** What the browser does when one goes back: the entry before is the current one, and is followed. */
  const back = () => {
    history.pop();
    pasts.pop();
    return address.follow();
  };
  /** And when a link of the page is pressed. */
  const press = (fragment: string) => {
    history.push(fragment);
    pasts.push(undefined);
    return address.follow();
  };
  return { ...ringside, address, history, pasts, gone, settle, back, press };
}
