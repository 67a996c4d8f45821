/**
 * The published schema of lessons: one JSON schema for a lesson's front matter and one for each directive's
 * attributes. A test writes `lessons/schema.json` from it.
 */
import { toJsonSchema } from '@valibot/to-json-schema';
import { DIRECTIVES } from './directives.ts';
import { FrontMatterSchema } from './front-matter.ts';

/** The schema as published. */
export function lessonSchema(): unknown {
  const options = { typeMode: 'input', errorMode: 'ignore' } as const;
  const directives = Object.entries(DIRECTIVES).map(([name, { shape, about, schema }]) => [
    name,
    {
      ...toJsonSchema(schema, options),
      description: about,
      'x-written': shape === 'leaf' ? `::${name}` : `:::${name}`,
    },
  ]);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A lesson of Ringside',
    description:
      'The head of a lesson.md as YAML; the attributes of each directive are under definitions.',
    ...toJsonSchema(FrontMatterSchema, options),
    definitions: Object.fromEntries(directives) as unknown,
  };
}
