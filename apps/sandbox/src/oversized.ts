import type { JsonObject } from './json.ts';

/** Enough for a header of about 40 KiB: more than Node's default of 16 KiB for all headers together. */
const COLUMNS = 190;

const column = (index: number): readonly [string, JsonObject] => [
  `metric_${String(index).padStart(3, '0')}`,
  {
    type: 'object',
    description: `Value, unit and revision of column ${index} of the statistical table.`,
    properties: { value: { type: 'number' }, unit: { type: 'string' } },
  },
];

/** Adds to a valid v2 challenge the output schema of a very wide table, which keeps it valid. */
export const oversizedChallenge = (challenge: JsonObject): JsonObject => {
  const columns = Object.fromEntries(Array.from({ length: COLUMNS }, (_, index) => column(index)));
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
};
