/**
 * On a narrow page: one chip for each CPU with what it does and how many packets it has;
 * the one whose column is shown is marked.
 */
import type { Frame } from '../core/frame.ts';
import type { Entries } from './entries.ts';
import { columnOf } from './layout.ts';
import type { Layout } from './layout.ts';
import type { Measure, Shape, View } from './shapes.ts';
import { firstFitting } from './text.ts';
import { contextLook } from './words.ts';
import type { Words } from './words.ts';

export function chipShapes(
  frame: Frame,
  layout: Layout,
  words: Words,
  entries: Entries,
  measure: Measure,
  view: View,
): readonly Shape[] {
  return layout.chips.flatMap(({ at, cpu, rect }): readonly Shape[] => {
    const isShown = columnOf(layout, cpu) !== -1;
    const look = contextLook(words, frame.cpus.context[at] ?? -1);
    const packets = isShown ? entries.live.length : (entries.hidden.get(cpu) ?? 0);
    const hasChosen = !isShown && hasSelected(frame, cpu, view);
    const thing = { kind: 'cpu', cpu } as const;
    const { textSize, lineHeight } = layout;
    const name = firstFitting(
      [`CPU ${cpu} · ${packets} pkt`, `CPU ${cpu} · ${packets}`, `CPU ${cpu}`],
      rect.width - 12,
      measure,
      textSize,
      isShown,
    );
    const word = firstFitting(
      [look.word, look.word.slice(0, 4)],
      rect.width - 24,
      measure,
      textSize,
      true,
    );
    return [
      {
        kind: 'panel',
        rect,
        fill: isShown ? 'chosen' : 'page',
        line: hasChosen ? 'ink' : isShown ? 'kernel' : 'line',
        radius: 8,
        isDashed: false,
        thing,
      },
      {
        kind: 'label',
        text: name,
        size: textSize,
        colour: 'ink',
        align: 'left',
        isBold: isShown,
        isMono: false,
        isPlate: false,
        rect: {
          x: rect.x + 6,
          y: rect.y + 2,
          width: measure(name, textSize, isShown, false),
          height: lineHeight,
        },
        thing,
      },
      {
        kind: 'pill',
        text: word,
        size: textSize,
        fill: look.fill,
        colour: look.colour,
        rect: {
          x: rect.x + 6,
          y: rect.y + rect.height - 20,
          width: Math.min(rect.width - 12, measure(word, textSize, true, false) + 12),
          height: 16,
        },
        thing,
      },
    ];
  });
}

function hasSelected(frame: Frame, cpu: number, view: View): boolean {
  return frame.packets.packet.some(
    (packet, index) => packet === view.selected && frame.packets.cpu[index] === cpu,
  );
}
