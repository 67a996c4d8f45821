/**
 * Prose as the page shows it: paragraphs and lists of text, emphasis, code and terms of the glossary.
 * Anything else that Markdown allows (HTML, pictures, links, tables) is a mistake, so that a lesson cannot
 * bring markup or addresses into the page.
 */
import type { BlockContent, DefinitionContent, PhrasingContent } from 'mdast';
// Adds the directives to mdast's kinds of nodes.
import type {} from 'mdast-util-directive';
import type { MistakeList } from './mistakes.ts';

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'emphasis' | 'strong'; readonly children: readonly Inline[] }
  /** A term of the glossary, and its spelling in the text. */
  | { readonly kind: 'term'; readonly term: string; readonly text: string };

export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Inline[])[] };

export type BodyNode = BlockContent | DefinitionContent;

/** Reads prose and its terms (with their lines) from Markdown's nodes. */
export class ProseReader {
  readonly #mistakes: MistakeList;
  readonly #linesBefore: number;
  readonly terms: { readonly term: string; readonly line: number }[] = [];

  constructor(mistakes: MistakeList, linesBefore: number) {
    this.#mistakes = mistakes;
    this.#linesBefore = linesBefore;
  }

  /** The line in the file on which a node begins. */
  lineOf(node: { readonly position?: { readonly start: { readonly line: number } } | undefined }) {
    return this.#linesBefore + (node.position?.start.line ?? 1);
  }

  blocks(nodes: readonly BodyNode[]): readonly Block[] {
    return nodes.flatMap((node) => this.#block(node));
  }

  inlines(nodes: readonly PhrasingContent[]): readonly Inline[] {
    return nodes.flatMap((node) => this.#inline(node));
  }

  #block(node: BodyNode): readonly Block[] {
    if (node.type === 'paragraph') {
      return [{ kind: 'paragraph', children: this.inlines(node.children) }];
    }
    if (node.type === 'list') {
      return [{ kind: 'list', items: node.children.map((item) => this.#item(item.children)) }];
    }
    this.#mistakes.add(this.lineOf(node), `a lesson has no ${node.type} here`);
    return [];
  }

  #item(nodes: readonly BodyNode[]): readonly Inline[] {
    return nodes.flatMap((node) => {
      if (node.type === 'paragraph') return this.inlines(node.children);
      this.#mistakes.add(this.lineOf(node), `an item of a list has no ${node.type}`);
      return [];
    });
  }

  #inline(node: PhrasingContent): readonly Inline[] {
    const line = this.lineOf(node);
    if (node.type === 'text') {
      const unread = /(?:^|\s)(:{2,3}[a-z-]+)\{/.exec(node.value)?.[1];
      const quotes = 'a value with " in it stands between single quotes';
      if (unread !== undefined)
        this.#mistakes.add(line, `“${unread}” is not written as a directive is; ${quotes}`);
      return [{ kind: 'text', text: node.value.replace(/\s*\n\s*/g, ' ') }];
    }
    if (node.type === 'inlineCode') return [{ kind: 'code', text: node.value }];
    if (node.type === 'emphasis' || node.type === 'strong') {
      return [{ kind: node.type, children: this.inlines(node.children) }];
    }
    if (node.type === 'textDirective') {
      if (node.name === 'term') return [this.#term(node.children, node.attributes ?? {}, line)];
      const escaped = 'write a colon before a letter as “\\:”';
      this.#mistakes.add(line, `“:${node.name}” is no directive within text; ${escaped}`);
      return [];
    }
    this.#mistakes.add(line, `a lesson's text has no ${node.type}`);
    return [];
  }

  #term(
    children: readonly PhrasingContent[],
    attributes: Readonly<Record<string, string | null | undefined>>,
    line: number,
  ): Inline {
    const text = plain(this.inlines(children));
    const { of, ...others } = attributes;
    for (const strange of Object.keys(others)) {
      this.#mistakes.add(line, `a term has no attribute “${strange}”`);
    }
    const term = of ?? text;
    this.terms.push({ term, line });
    return { kind: 'term', term, text };
  }
}

/** The text without markup. */
export function plain(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => ('children' in inline ? plain(inline.children) : inline.text))
    .join('');
}

/** The text of blocks, a line for each paragraph or item. */
export function plainBlocks(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) =>
      block.kind === 'paragraph' ? [plain(block.children)] : block.items.map(plain),
    )
    .join('\n');
}

export function wordCount(blocks: readonly Block[]): number {
  return plainBlocks(blocks)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
