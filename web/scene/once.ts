/**
 * What depends on a run (or a layout) alone is made once and kept as long as that lives: frames
 * come sixty times a second, runs do not. The given object must never change, as runs do not.
 * No text of the messages may be kept in this way: the language changes while the run stays.
 */

/** The function, asked once for each object. */
export function once<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const known = new WeakMap<Of, { readonly made: Made }>();
  return (of) => {
    const held = known.get(of) ?? { made: make(of) };
    known.set(of, held);
    return held.made;
  };
}

/** The same for two objects, such as a run and the words of its page. */
export function onceOfBoth<Of extends object, With extends object, Made>(
  make: (of: Of, more: With) => Made,
): (of: Of, more: With) => Made {
  const byFirst = once((of: Of) => once((more: With) => make(of, more)));
  return (of, more) => byFirst(of)(more);
}
