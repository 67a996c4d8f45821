/**
 * How much memory a run may take in this browser.
 */

const GIBIBYTE = 2 ** 30;
/** A module of wasm has 4 GiB of addresses; some of it is its own. */
const MODULE = 3.75 * GIBIBYTE;

/**
 * Bytes that a run may take: what a module can have, or half of the device's memory where that is less.
 * `deviceMemory` is in GiB, as the browser tells it (W3C Device Memory), which is at most 8; not all do.
 */
export function roomOf(device: object): number {
  const told: unknown = 'deviceMemory' in device ? device.deviceMemory : undefined;
  return Math.min(MODULE, ((typeof told === 'number' ? told : 8) / 2) * GIBIBYTE);
}
