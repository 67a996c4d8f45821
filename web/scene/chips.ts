/**
 * CPUs without a column: one cell for each, with its activity and its number of packets. On a narrow page
 * every CPU has one, and the CPU whose column is shown is marked.
 */
import type { Frame } from '../core/frame.ts';
import type { Entries } from './entries.ts';
import { columnOf } from './layout.ts';
import type { Layout } from './layout.ts';
import type { Measure, Shape, View } from './shapes.ts';
import { contextLook } from './words.ts';
import type { Words } from './words.ts';
import { firstFitting } from './text.ts';
import { formatCount } from '../numbers/format.ts';
import { moreCpusText } from '../words/counts.ts';

export function chipShapes(
  frame: Frame,
  layout: Layout,
  words: Words,
  entries: Entries,
  measure: Measure,
  view: View,
): readonly Shape[] {
  const chips = layout.chips.flatMap(({ at, cpu, rect }): readonly Shape[] => {
    const isShown = columnOf(layout, cpu) !== -1;
    const look = contextLook(words, frame.cpus.context[at] ?? -1);
    const packets = isShown ? entries.live.length : (entries.hidden.get(cpu) ?? 0);
    const hasChosen = !isShown && hasSelected(frame, cpu, view);
    const thing = { kind: 'cpu', cpu } as const;
    const { textSize, lineHeight } = layout;
    const pad = 0.35 * textSize;
    const counted = packets > 0 ? [`CPU ${cpu} · ${packets}`] : [];
    const name = firstFitting(
      [...counted, `CPU ${cpu}`, `${cpu}`],
      rect.width - 2 * pad,
      measure,
      textSize,
      isShown,
    );
    // Two lines if they fit; else only the colour shows the activity.
    const hasWord = rect.height >= 2.3 * lineHeight;
    const word = hasWord
      ? firstFitting([look.label()], rect.width - 4 * pad, measure, textSize, true)
      : '';
    const bar = Math.min(0.35 * lineHeight, 0.2 * rect.height);
    const nameY = hasWord
      ? rect.y + 0.05 * lineHeight
      : rect.y + (rect.height - bar - lineHeight) / 2;
    return [
      {
        kind: 'panel',
        rect,
        fill: isShown ? 'chosen' : 'page',
        line: hasChosen ? 'ink' : isShown ? 'kernel' : 'line-strong',
        radius: 0.4 * textSize,
        isDashed: false,
        thing,
      },
      ...(name === '' || rect.height < lineHeight
        ? []
        : [
            {
              kind: 'label' as const,
              text: name,
              size: textSize,
              colour: 'ink' as const,
              align: 'left' as const,
              isBold: isShown,
              isMono: false,
              isPlate: false,
              rect: {
                x: rect.x + pad,
                y: Math.max(rect.y, nameY),
                width: measure(name, textSize, isShown, false),
                height: lineHeight,
              },
              thing,
            },
          ]),
      word === ''
        ? {
            kind: 'panel' as const,
            rect: {
              x: rect.x + pad,
              y: rect.y + rect.height - bar - 2,
              width: rect.width - 2 * pad,
              height: bar,
            },
            fill: look.fill,
            line: undefined,
            radius: bar / 2,
            isDashed: false,
            thing,
          }
        : {
            kind: 'pill' as const,
            text: word,
            size: textSize,
            fill: look.fill,
            colour: look.colour,
            rect: {
              x: rect.x + pad,
              y: rect.y + 1.12 * lineHeight,
              width: measure(word, textSize, true, false) + 2 * pad,
              height: 1.1 * lineHeight,
            },
            thing,
          },
    ];
  });
  return [...chips, ...restShapes(layout, measure)];
}

/** The text for the CPUs without a cell. */
function restShapes({ rest, textSize }: Layout, measure: Measure): readonly Shape[] {
  if (rest === undefined) return [];
  const texts = [moreCpusText(rest.count), `+ ${formatCount(rest.count)}`];
  const text = firstFitting(texts, rest.rect.width, measure, textSize);
  return [
    {
      ...{ kind: 'label', text, size: textSize, colour: 'ink-muted', align: 'left' },
      ...{ isBold: false, isMono: false, isPlate: false, rect: rest.rect },
    },
  ];
}

function hasSelected(frame: Frame, cpu: number, view: View): boolean {
  if (view.selected === undefined) return false;
  return frame.packets.packet.some(
    (packet, index) => packet === view.selected && frame.packets.placeCpu[index] === cpu,
  );
}
