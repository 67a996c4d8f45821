/**
 * The rest of the reader's module: the functions that no recording needs until it stands on the
 * stage, in a module of their own (`wasm-core/xtask/src/split.rs`). It is fetched once the first
 * run is open; what calls one of them before then waits for it, which a worker may.
 *
 * Both modules work on one memory and one table. Until the rest is there, a function of it is
 * stood in for here.
 */
import { TROUBLES } from './trouble.ts';

type Callable = (...given: readonly unknown[]) => unknown;
type Exports = Readonly<Record<string, Callable>>;

/** What the bindings give: how the first module was made, by which the rest is made too. */
interface First {
  readonly exports: WebAssembly.ModuleImports;
  readonly imports: WebAssembly.Imports;
}

let first: First | undefined;
let read: () => BufferSource = () => {
  throw new Error('nothing says where the rest of the reader is');
};
let rest: Exports | undefined;
/** Under way or come: whoever opens a run asks for it. */
let coming: Promise<void> | undefined;

/** What the first module imports: for each function of the rest, one that stands in for it. */
export const standIns: WebAssembly.ModuleImports = new Proxy<WebAssembly.ModuleImports>(
  {},
  {
    get:
      (_, name: string): Callable =>
      (...given) =>
        (rest ??= made(new WebAssembly.Module(read())))[name]!(...given),
  },
);

/** The first module is there. */
export function firstIsMade(made: First): void {
  first = made;
}

/** How the rest is read by a caller who waits for it. */
export function readRest(from: () => BufferSource): void {
  read = from;
}

/** Has the rest before it is called, unless it was called already. */
export function fetchRest(url: string): Promise<void> {
  coming ??= compiled(url).catch((error: unknown) => {
    coming = undefined;
    throw error;
  });
  return coming;
}

async function compiled(url: string): Promise<void> {
  if (rest !== undefined) return;
  const module = await WebAssembly.compileStreaming(fetch(url, { priority: 'low' }));
  rest ??= made(module);
}

/** The bytes at an address, by a request that is waited for: only a worker may. */
export function readAtOnce(url: string): ArrayBuffer {
  const request = new XMLHttpRequest();
  request.open('GET', url, false);
  request.responseType = 'arraybuffer';
  request.send();
  if (request.status !== 200) throw new Error(TROUBLES.fetch);
  return request.response as ArrayBuffer;
}

/** Its segments are written over the stand-ins in the table. */
function made(module: WebAssembly.Module): Exports {
  if (first === undefined) throw new Error('the rest of the reader was called before the reader');
  const { exports, imports } = first;
  return new WebAssembly.Instance(module, { ...imports, first: exports }).exports as Exports;
}
