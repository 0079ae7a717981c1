import type { JsonObject } from '../parsing/json.ts';

/**
 * Number of table columns that the output schema describes. With 190 columns, the challenge header has about 40 KiB,
 * which exceeds Node's default limit of 16 KiB for all headers.
 */
const COLUMN_COUNT = 190;

function createColumn(index: number): readonly [string, JsonObject] {
  return [
    `metric_${String(index).padStart(3, '0')}`,
    {
      type: 'object',
      description: `Value, unit and revision of column ${index} of the statistical table.`,
      properties: { value: { type: 'number' }, unit: { type: 'string' } },
    },
  ];
}

/** Adds a very long output schema, of a table with many columns, to a v2 challenge. The challenge stays valid. */
export function addOversizedSchema(challenge: JsonObject): JsonObject {
  const columns = Object.fromEntries(Array.from({ length: COLUMN_COUNT }, (_, index) => createColumn(index)));
  return {
    ...challenge,
    extensions: {
      bazaar: {
        info: { input: { type: 'http', method: 'GET', queryParams: {} }, output: { type: 'json' } },
        schema: {
          type: 'object',
          properties: {
            input: { type: 'object' },
            output: { type: 'object', properties: { example: { type: 'object', properties: columns } } },
          },
          required: ['input'],
        },
      },
    },
  };
}
