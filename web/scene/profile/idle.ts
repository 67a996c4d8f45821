/**
 * Idle time, as stacks of their own. The core's profile has none, as no code ran; without it the bars of a flame
 * graph would be parts of busy time, while all percentages are parts of what the CPUs had.
 */
import type { Profile, ProfileStack } from '../../core/profile.ts';

/**
 * The profile with what its CPUs had beyond its stacks.
 *
 * @param told numbers of the CPUs of which the run has events; a simulation charges those without, too
 * @param idle index of the context
 */
export function withIdle(profile: Profile, told: readonly number[], idle: number): Profile {
  const { source, stacks, elapsed, rest } = profile;
  if (stacks.length === 0) return profile;
  const cpus = source === 'charged' ? Array.from({ length: profile.cpus }, (_, cpu) => cpu) : told;
  const busy = new Map<number, number>();
  for (const { cpu, nanos } of stacks) busy.set(cpu, (busy.get(cpu) ?? 0) + nanos);
  // Of stacks that are too small to be handed out nothing tells the CPU.
  const unlisted = rest / cpus.length;
  const more = cpus.flatMap((cpu): readonly ProfileStack[] => {
    const nanos = elapsed - (busy.get(cpu) ?? 0) - unlisted;
    const stack = { cpu, context: idle, within: [], calls: undefined, lines: undefined };
    return nanos > 0 ? [{ ...stack, nanos }] : [];
  });
  return { ...profile, stacks: [...stacks, ...more] };
}
