/**
 * Plays a lesson without a page: opens its runs, looks up everything that it names, and checks everything
 * that it states. Only the tests use it; the page plays with the same `play/` modules.
 */
import type { CodedCatalogue, PaperEntry } from '../core/simulation.ts';
import type { Told } from '../core/told.ts';
import { filmAt } from '../session/told.ts';
import { claimOf } from './format/claim.ts';
import { readTerm, type Fact, type Term } from './format/fact.ts';
import type { Ask, Compare, Lesson, Step, Vary } from './format/lesson.ts';
import { MistakeList, type Mistake } from './format/mistakes.ts';
import { plain } from './format/prose.ts';
import { countKeyOf, countOf, judge, keyOf, type Value, valueOf } from './play/measure.ts';
import { filmOf, timeOf } from './play/moments.ts';
import { ringOf } from './play/rings.ts';
import { publishedOf } from './play/published.ts';
import { FILM_SECONDS, type LessonRun } from './play/run.ts';
import type { Settings } from './play/source.ts';
import { troubleOf } from '../words/trouble.ts';

/** How the tests open runs and query the core's data. */
export interface Stand {
  readonly open: (run: string) => Promise<LessonRun>;
  readonly vary: (run: string, settings: Settings) => Promise<LessonRun>;
  readonly catalogue: CodedCatalogue;
  readonly entries: readonly PaperEntry[];
}

export interface Played {
  readonly mistakes: readonly Mistake[];
  /** The values of the measures that the lesson shows, by their keys. */
  readonly values: Readonly<Record<string, Value>>;
}

export async function playThrough(lesson: Lesson, stand: Stand): Promise<Played> {
  const player = new Player(lesson, stand);
  for (const step of lesson.steps) await player.play(step);
  return { mistakes: player.mistakes.all, values: player.values };
}

class Player {
  readonly mistakes: MistakeList;
  readonly values: Record<string, Value> = {};
  readonly #lesson: Lesson;
  readonly #stand: Stand;

  constructor(lesson: Lesson, stand: Stand) {
    this.mistakes = new MistakeList(lesson.file);
    this.#lesson = lesson;
    this.#stand = stand;
  }

  async play(step: Step): Promise<void> {
    const { scene, play, targets, ask, reveal, vary, compares, expects } = step;
    const run = await this.#at(scene.line, () => this.#run(scene.run));
    if (run === undefined) return;
    const from = await this.#at(scene.line, () => timeOf(run, scene.at));
    const film = await this.#at(scene.line, () => filmOf(run, scene.follow));
    if (play !== undefined && from !== undefined && film !== undefined)
      await this.#film(run, play, from, film[1]);
    for (const target of targets) await this.#at(target.line, () => ringOf(run, target));
    for (const { fact, line } of expects) await this.#holds(fact, scene.run, line);
    for (const compare of compares) await this.#compare(compare, scene.run);
    if (ask !== undefined) await this.#ask(ask, scene.run);
    for (const { term } of reveal?.bars ?? []) {
      await this.#at(reveal?.line ?? 1, () => this.#keep(term, scene.run));
    }
    if (vary !== undefined) await this.#at(vary.line, () => this.#vary(vary));
  }

  /**
   * A film that is too long is played faster; at much more than one and a half times the speed nobody can
   * read along.
   */
  async #film(
    run: LessonRun,
    play: NonNullable<Step['play']>,
    from: number,
    { pieces }: Told,
  ): Promise<void> {
    const { until, line } = play;
    if (until === undefined) return;
    const to = await this.#at(line, () => timeOf(run, until));
    if (to === undefined) return;
    if (to <= from) this.mistakes.add(line, 'the film ends before it begins');
    const seconds = filmAt(pieces, to) - filmAt(pieces, from);
    const most = play.for ?? FILM_SECONDS;
    if (seconds > 1.6 * most) {
      this.mistakes.add(
        line,
        `L3: this is ${seconds.toFixed(0)} s of film, too much for ${most} s`,
      );
    }
  }

  /** Does something; an error becomes a mistake of the lesson at this line. */
  async #at<T>(line: number, act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      this.mistakes.add(line, troubleOf(error));
      return undefined;
    }
  }

  #run(name: string): Promise<LessonRun> {
    if (this.#lesson.runs[name] === undefined) throw new Error(`there is no run “${name}”`);
    return this.#stand.open(name);
  }

  #finder = (shown: string) => (name: string | undefined) => this.#run(name ?? shown);

  async #holds(fact: Fact, shown: string, line: number): Promise<void> {
    const found = await this.#at(line, () => judge(this.#finder(shown), fact));
    if (found !== undefined && !found.isSo)
      this.mistakes.add(line, `“${fact.text}” is not so: ${found.values.join(', ')}`);
  }

  async #keep(term: Term, shown: string): Promise<Value> {
    const value = await valueOf(this.#finder(shown), term);
    this.values[keyOf(shown, term)] = value;
    return value;
  }

  async #ask({ options }: Ask, shown: string): Promise<void> {
    for (const { fact, isRight, line, text } of options) {
      const found = await this.#at(line, () => judge(this.#finder(shown), fact));
      if (found === undefined || found.isSo === isRight) continue;
      const wrong = isRight ? 'is right, and is not so' : 'is wrong, and is so';
      this.mistakes.add(
        line,
        `“${plain(text)}” ${wrong}: ${fact.text}: ${found.values.join(', ')}`,
      );
    }
  }

  async #compare(compare: Compare & { readonly line: number }, shown: string): Promise<void> {
    const { line, direction, tolerance, measure } = compare;
    await this.#at(line, () => this.#keepBounds(compare, shown));
    const value = await this.#at(line, () => this.#keep(measure, shown));
    const count = await this.#at(line, () => countOf(this.#finder(shown), measure));
    if (count !== undefined) this.values[countKeyOf(shown, measure)] = count;
    const published = await this.#at(line, () =>
      Promise.resolve(publishedOf(this.#stand.entries, compare)),
    );
    if (value !== undefined && published !== undefined) {
      const ratio = Number(value) / published.value;
      this.values[`published: ${compare.entry} ${compare.item}`] = published.value;
      if (Math.abs(ratio - 1) > tolerance) {
        this.mistakes.add(
          line,
          `${compare.item}: ${String(value)} is ${ratio.toFixed(2)} of ${published.value}`,
        );
      }
    }
    if (direction !== undefined) await this.#holds(direction, shown, line);
  }

  /** Keeps the values by which a prediction's bounds are multiplied, such as the other run's throughput. */
  async #keepBounds({ ask: id }: Compare, shown: string): Promise<void> {
    const ask = this.#lesson.steps.find(({ ask }) => ask !== undefined && ask.id === id)?.ask;
    const units = new Set(ask?.options.flatMap(({ fact }) => claimOf(fact)?.per ?? []));
    for (const unit of units) await this.#keep(readTerm(unit), shown);
  }

  async #vary({ run, goal, settings, line }: Vary): Promise<void> {
    for (const { name, values } of settings)
      checkSetting(this.#stand.catalogue, name, values, (why) => this.mistakes.add(line, why));
    const source = this.#lesson.runs[run];
    if (source === undefined || !('scenario' in source)) throw new Error(`“${run}” is no scenario`);
    const isMet = async (varied: Settings) => {
      const tried = await this.#stand.vary(run, varied);
      return (await judge(() => Promise.resolve(tried), goal)).isSo;
    };
    if (await isMet({}))
      this.mistakes.add(line, `L2: “${goal.text}” is met before anything is changed`);
    // The last of all values are the farthest from the initial ones.
    for (const varied of combinations(settings).toReversed()) if (await isMet(varied)) return;
    this.mistakes.add(line, `L2: “${goal.text}” is met by no choice`);
  }
}

function checkSetting(
  { settings }: CodedCatalogue,
  name: string,
  values: Vary['settings'][number]['values'],
  add: (why: string) => void,
): void {
  const setting = settings.find((one) => one.name === name);
  if (setting === undefined) {
    add(`there is no setting “${name}”`);
    return;
  }
  const kinds = { number: 'number', choice: 'string', switch: 'boolean' } as const;
  const wrong = values.find(({ value }) => typeof value !== kinds[setting.kind]);
  if (wrong !== undefined) add(`${name} is a ${setting.kind}, “${String(wrong.value)}” is none`);
}

function combinations(settings: Vary['settings']): readonly Settings[] {
  return settings.reduce<readonly Settings[]>(
    (all, { name, values }) =>
      all.flatMap((before) => values.map(({ value }) => ({ ...before, [name]: value }))),
    [{}],
  );
}
