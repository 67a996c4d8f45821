/**
 * Reads a question: its text, and a list in which each item is an option. An item's first line is the
 * option and ends with the fact that the option claims; the lines below say why it is right or wrong.
 */
import { messageOf } from '../../core/message-of.ts';
import type { List, ListItem, PhrasingContent } from 'mdast';
import type { Attributes } from './directives.ts';
import { readFact } from './fact.ts';
import type { Ask, Option } from './lesson.ts';
import type { MistakeList } from './mistakes.ts';
import type { BodyNode, Inline, ProseReader } from './prose.ts';

export function readAsk(
  children: readonly BodyNode[],
  { id, lock, transfer }: Attributes<'ask'>,
  line: number,
  prose: ProseReader,
  mistakes: MistakeList,
): Ask | undefined {
  const list = children.find((node): node is List => node.type === 'list');
  if (list === undefined) {
    mistakes.add(line, 'a question has a list of options: “- [ ] option `fact`”');
    return undefined;
  }
  const options = list.children.flatMap((item) => readOption(item, prose, mistakes) ?? []);
  const right = options.filter(({ isRight }) => isRight).length;
  if (right !== 1) mistakes.add(line, `a question has one right option “- [x]”, this has ${right}`);
  if (options.length < 2) mistakes.add(line, 'a question has two options or more');
  return {
    line,
    id,
    isLocked: lock !== undefined,
    isTransfer: transfer !== undefined,
    isGiven: false,
    question: prose.blocks(children.filter((node) => node !== list)),
    options,
  };
}

function readOption(item: ListItem, prose: ProseReader, mistakes: MistakeList): Option | undefined {
  const line = prose.lineOf(item);
  const [paragraph, ...more] = item.children;
  if (paragraph?.type !== 'paragraph' || more.length > 0) {
    mistakes.add(line, 'an option is one paragraph: the option, and below it why');
    return undefined;
  }
  const { first, rest } = atLineBreak(paragraph.children);
  const [begin, ...others] = first;
  const mark = begin?.type === 'text' ? /^\[([ x])\] /.exec(begin.value) : null;
  const claim = others.at(-1);
  if (begin?.type !== 'text' || mark === null) {
    mistakes.add(line, 'an option begins with “[ ]” or “[x]”');
    return undefined;
  }
  if (claim?.type !== 'inlineCode') {
    mistakes.add(line, 'an option ends with the fact it claims, as in “`dropped = 0`”');
    return undefined;
  }
  if (rest.length === 0)
    mistakes.add(line, 'the line below an option says why it is right or wrong');
  const said = { ...begin, value: begin.value.slice(mark[0].length) };
  try {
    return {
      line,
      isRight: mark[1] === 'x',
      text: trimmed(prose.inlines([said, ...others.slice(0, -1)])),
      feedback: prose.inlines(rest),
      fact: readFact(claim.value),
    };
  } catch (error) {
    mistakes.add(line, messageOf(error));
    return undefined;
  }
}

/** Without the blank before the fact. */
function trimmed(inlines: readonly Inline[]): readonly Inline[] {
  const last = inlines.at(-1);
  if (last?.kind !== 'text') return inlines;
  return [...inlines.slice(0, -1), { ...last, text: last.text.trimEnd() }];
}

/** The nodes before and after the first line break. */
function atLineBreak(nodes: readonly PhrasingContent[]): {
  readonly first: readonly PhrasingContent[];
  readonly rest: readonly PhrasingContent[];
} {
  const index = nodes.findIndex((node) => node.type === 'text' && node.value.includes('\n'));
  const node = nodes[index];
  if (node?.type !== 'text') return { first: nodes, rest: [] };
  const at = node.value.indexOf('\n');
  const before = node.value.slice(0, at).trimEnd();
  const after = node.value.slice(at + 1).trimStart();
  return {
    first: [...nodes.slice(0, index), ...(before === '' ? [] : [{ ...node, value: before }])],
    rest: [...(after === '' ? [] : [{ ...node, value: after }]), ...nodes.slice(index + 1)],
  };
}
