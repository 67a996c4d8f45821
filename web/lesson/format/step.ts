/**
 * Reads one step: its directives one by one, and everything else as prose. Each directive is checked
 * against `directives.ts`; which ones may occur only once, or only with another, is checked here.
 */
import type { ContainerDirective, LeafDirective } from 'mdast-util-directive';
import * as v from 'valibot';
import { readAsk } from './ask.ts';
import { DIRECTIVES, type Attributes, type DirectiveName } from './directives.ts';
import type { Compare, Placed, Reveal, Scene, Step, Target, Vary } from './lesson.ts';
import type { MistakeList } from './mistakes.ts';
import type { BodyNode, ProseReader } from './prose.ts';
import type { Section } from './read.ts';

type Directive = ContainerDirective | LeafDirective;

export function readStep(
  section: Section,
  before: Scene,
  prose: ProseReader,
  mistakes: MistakeList,
): Step {
  const reader = new StepReader(prose, mistakes);
  const text: BodyNode[] = [];
  for (const node of section.nodes) {
    if (node.type === 'containerDirective' || node.type === 'leafDirective') reader.take(node);
    else text.push(node as BodyNode);
  }
  return reader.step(section, before, prose.blocks(text));
}

class StepReader {
  readonly #prose: ProseReader;
  readonly #mistakes: MistakeList;
  readonly #found: Found = {
    targets: [],
    compares: [],
    expects: [],
    cards: [],
    hints: [],
    alt: [],
    notes: [],
  };

  constructor(prose: ProseReader, mistakes: MistakeList) {
    this.#prose = prose;
    this.#mistakes = mistakes;
  }

  step(section: Section, before: Scene, prose: Step['prose']): Step {
    const { show, ...found } = this.#found;
    const { title, line } = section;
    const { play, ask, reveal, vary } = found;
    return {
      ...found,
      play,
      ask,
      reveal,
      vary,
      title,
      line,
      prose,
      scene: sceneOf(show, before, line),
    };
  }

  take(node: Directive): void {
    const line = this.#prose.lineOf(node);
    const { name } = node;
    if (!isDirective(name)) {
      const known = Object.keys(DIRECTIVES).join(', ');
      this.#mistakes.add(line, `there is no directive “${name}”; there are ${known}`);
      return;
    }
    const shape = node.type === 'leafDirective' ? 'leaf' : 'container';
    if (DIRECTIVES[name].shape !== shape) {
      const colons = DIRECTIVES[name].shape === 'leaf' ? '::' : ':::';
      this.#mistakes.add(line, `“${name}” is written with “${colons}”`);
      return;
    }
    this.#read(name, node, line);
  }

  #read(name: DirectiveName, node: Directive, line: number): void {
    const found = this.#found;
    const children = node.type === 'containerDirective' ? node.children : [];
    switch (name) {
      case 'show':
        this.#with(name, node, (given) => this.#once('show', { ...given, line }));
        return;
      case 'play':
        this.#with(name, node, (given) => this.#once('play', { ...given, line }));
        return;
      case 'focus':
        this.#with(name, node, (given) => {
          found.targets.push(...targetsOf(given).map((target) => ({ ...target, line })));
        });
        return;
      case 'ask':
        this.#with(name, node, (given) => {
          const ask = readAsk(children, given, line, this.#prose, this.#mistakes);
          if (ask !== undefined) this.#once('ask', ask);
        });
        return;
      case 'reveal':
        this.#with(name, node, (given) => this.#reveal(given, line));
        return;
      case 'vary':
        this.#with(name, node, (given) => this.#vary(children, given, line));
        return;
      case 'set':
        this.#mistakes.add(line, '“set” stands within “vary”');
        return;
      case 'compare':
        this.#with(name, node, (given) => this.#compare(given, line));
        return;
      case 'expect':
        this.#with(name, node, ({ fact }) => found.expects.push({ fact, line }));
        return;
      case 'card':
        this.#with(name, node, ({ term }) => found.cards.push({ term, line }));
        return;
      case 'hint':
        this.#with(name, node, () => found.hints.push(this.#prose.blocks(children)));
        return;
      case 'alt':
        this.#with(name, node, () => found.alt.push(...this.#prose.blocks(children)));
        return;
      case 'notes':
        this.#with(name, node, () => found.notes.push(...this.#prose.blocks(children)));
    }
  }

  /** Checks a directive's attributes, and passes them on if they are valid. */
  #with<Name extends DirectiveName>(
    name: Name,
    node: Directive,
    use: (given: Attributes<Name>) => unknown,
  ): void {
    const { schema } = DIRECTIVES[name];
    const result = v.safeParse(schema, { ...node.attributes });
    if (result.success) {
      use(result.output);
      return;
    }
    for (const { path, message } of result.issues) {
      const key = path?.map((part) => String(part.key)).join('.') ?? '';
      this.#mistakes.add(this.#prose.lineOf(node), `${name}${key && `, ${key}`}: ${message}`);
    }
  }

  #once<Key extends 'show' | 'play' | 'ask' | 'reveal' | 'vary'>(
    key: Key,
    value: NonNullable<Found[Key]> & { readonly line: number },
  ): void {
    if (this.#found[key] !== undefined) {
      this.#mistakes.add(value.line, `a step has “${key}” only once`);
    }
    this.#found[key] = value;
  }

  #reveal({ ask, bars, labels }: Attributes<'reveal'>, line: number): void {
    const names = labels.split(',').map((label) => label.trim());
    if (names.length !== bars.length) {
      this.#mistakes.add(line, `reveal has ${bars.length} bars and ${names.length} labels`);
    }
    const labelled = bars.map((term, index) => ({ term, label: names[index] ?? '' }));
    this.#once('reveal', { ask, bars: labelled, line });
  }

  #vary(children: readonly BodyNode[], given: Attributes<'vary'>, line: number): void {
    const settings: Vary['settings'][number][] = [];
    for (const node of children) {
      if (node.type === 'leafDirective' && node.name === 'set') {
        this.#with('set', node, (setting) => settings.push(setting));
      } else {
        this.#mistakes.add(
          this.#prose.lineOf(node),
          '“vary” holds only “::set”; its task is the step’s text',
        );
      }
    }
    if (settings.length === 0) this.#mistakes.add(line, '“vary” has nothing to set');
    this.#once('vary', { ...given, settings, line });
  }

  #compare(given: Attributes<'compare'>, line: number): void {
    const [measure, ...others] = given.measure;
    if (measure === undefined || others.length > 0) {
      this.#mistakes.add(line, '“compare” compares one measure');
      return;
    }
    const { unit, label, direction, ask } = given;
    this.#found.compares.push({ ...given, unit, label, measure, direction, ask, line });
  }
}

/** The content of a step found so far. */
interface Found {
  show?: Attributes<'show'>;
  play?: Placed<Attributes<'play'>>;
  ask?: NonNullable<Step['ask']>;
  reveal?: Placed<Reveal>;
  vary?: Vary;
  readonly targets: Placed<Target>[];
  readonly compares: Placed<Compare>[];
  readonly expects: Step['expects'][number][];
  readonly cards: Step['cards'][number][];
  readonly hints: Step['hints'][number][];
  readonly alt: Step['alt'][number][];
  readonly notes: Step['notes'][number][];
}

function isDirective(name: string): name is DirectiveName {
  return Object.hasOwn(DIRECTIVES, name);
}

/** Another run begins at its start without a followed packet; everything else is inherited. */
function sceneOf(show: Attributes<'show'> | undefined, before: Scene, line: number): Scene {
  const run = show?.run ?? before.run;
  const isOther = run !== before.run;
  return {
    line,
    run,
    view: show?.view ?? before.view,
    at: show?.at ?? (isOther ? { kind: 'start' } : before.at),
    follow: show?.follow ?? (isOther ? undefined : before.follow),
  };
}

function targetsOf(given: Attributes<'focus'>): readonly Target[] {
  const targets: Target[] = [];
  for (const kind of ['station', 'queue', 'finding', 'function'] as const) {
    const name = given[kind];
    if (name !== undefined) targets.push({ kind, name });
  }
  if (given.cpu !== undefined) targets.push({ kind: 'cpu', cpu: given.cpu });
  if (given.packet !== undefined) targets.push({ kind: 'packet', packet: given.packet });
  return targets;
}
