/**
 * The published schema of what a page and Ringside in its frame say to each other.
 * `embedding/schema.json` is written from it by a test.
 */
import { toJsonSchema } from '@valibot/to-json-schema';
import { OrderSchema, WordSchema } from './embed-message.ts';

/** The schema as it is published. */
export function embedSchema(): unknown {
  const options = { typeMode: 'input', errorMode: 'ignore' } as const;
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Messages between Ringside in a frame and the page that holds it',
    definitions: {
      order: { ...toJsonSchema(OrderSchema, options), description: 'What the page may send.' },
      word: { ...toJsonSchema(WordSchema, options), description: 'What the page is told.' },
    },
  };
}
