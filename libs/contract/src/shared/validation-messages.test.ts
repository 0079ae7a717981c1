import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OPERATIONS } from '../operations/operations.ts';
import { problemSchema } from './problem.ts';
import { historyRequestSchema } from '../operations/history/operation.ts';
import { trustInputSchema, trustRequestSchema } from '../operations/trust-report/operation.ts';
import { readMessages } from '../testing/schema-checks.ts';
import { createValidationProblem } from './validation-messages.ts';

const URL = 'https://api.example.com/v1/weather';

/** Wording and issue codes of zod, which must not occur in our messages. */
const ZOD_TEXT =
  /Invalid input|Invalid string|expected|Unrecognized|Too (?:big|small)|must match pattern|>=|<=|invalid_\w+|too_(?:big|small)|not_multiple_of|unrecognized_keys|undefined|NaN|\[object/;

/** Returns the error body for a request body that a schema refuses; null when the schema accepts it. */
function validate(schema: z.ZodType, body: unknown) {
  const request = { body, query: {} };
  const { error } = z.object({ body: schema }).safeParse(request);
  return error === undefined ? null : createValidationProblem(error, request);
}

const readBodyMessages = (schema: z.ZodType, body: unknown) =>
  readMessages(z.object({ body: schema }), { body });

describe('the messages of a request', () => {
  it.each<readonly [unknown, string]>([
    [{ resource: URL, days: 120 }, '`days` must be a whole number from 1 to 90; received 120.'],
    [{ resource: URL, days: '7' }, '`days` must be a whole number from 1 to 90; received "7".'],
    [{ resource: URL, days: null }, '`days` must be a whole number from 1 to 90; received null.'],
    [{ resource: URL, days: [7] }, '`days` must be a whole number from 1 to 90; received a list of 1 item.'],
    [
      {},
      '`resource` is missing. Send the full URL of the endpoint, such as https://api.example.com/v1/weather.',
    ],
    [
      { resource: 'api.example.com' },
      '`resource` must be the full URL of the endpoint, such as https://api.example.com/v1/weather; received "api.example.com".',
    ],
    [
      { resource: `${URL}\u200b` },
      '`resource` must be a URL without emoji, invisible characters or surrounding spaces (percent-encode them); received "https://api.example.com/v1/weather\\u{200b}".',
    ],
    [
      { resource: URL, days: 7, limit: 3 },
      '`limit` is not a field of the request body. Remove it or correct its name.',
    ],
    [
      { resource: URL, Days: 7, 'x\u0000`y': 3 },
      "`Days`, `x\\u{0}'y` are not fields of the request body. Remove them or correct their names.",
    ],
    [null, 'The request body must be a JSON object; received null.'],
    [[1, 2], 'The request body must be a JSON object; received a list of 2 items.'],
    ['{}', 'The request body must be a JSON object; received "{}".'],
  ])('explain %j', (body, message) => {
    expect(readBodyMessages(historyRequestSchema, body)).toEqual([message]);
  });

  it('shorten a long value', () => {
    const [message = ''] = readBodyMessages(trustRequestSchema, { resource: `${URL}/${'x'.repeat(9_000)}` });
    expect(message).toMatch(/^`resource` must be at most 2048 characters long; received "https:.{50,60}…"/);
    expect(message).toContain('(9035 characters)');
  });

  it.each([
    [11, '1 more mistake is not listed.'],
    [500, '490 more mistakes are not listed.'],
  ])('describe 10 of %i mistakes and count the others', (count, last) => {
    const schema = z.strictObject({ urls: z.array(z.url()) });
    const messages = readBodyMessages(schema, { urls: Array.from({ length: count }, () => 'x'.repeat(100)) });
    expect(messages).toHaveLength(11);
    expect(messages.at(-1)).toBe(last);
    expect(messages.join('').length).toBeLessThan(2_000);
  });

  it('refer to the list of mistakes in the detail', () => {
    expect(validate(historyRequestSchema, { days: 91, limit: 1 })?.detail).toBe(
      '`resource` is missing. Send the full URL of the endpoint, such as https://api.example.com/v1/weather. `errors` lists the mistakes.',
    );
  });
});

it('the messages of a query name the parameter after the mistakes of the body', () => {
  const request = { body: { resource: 7 }, query: { detail: ['full', 'full'] } };
  const { error } = trustInputSchema.safeParse(request);
  expect(error && createValidationProblem(error, request).errors).toEqual([
    { path: 'resource', message: expect.stringContaining('`resource` must be ') as string },
    {
      path: 'detail',
      message: '`detail` must be "full", or left out for the short report; received a list of 2 items.',
    },
  ]);
});

describe('the messages of schemas without texts', () => {
  const schema = z.strictObject({
    name: z.string().min(2),
    count: z.number().gt(0).multipleOf(5).optional(),
    kind: z.enum(['a', 'b', 'c']).optional(),
    urls: z.union([z.url(), z.array(z.url()).max(2)]).optional(),
    nested: z.strictObject({ flag: z.boolean() }).optional(),
    even: z
      .int()
      .refine((value) => value % 2 === 0)
      .optional(),
  });

  it.each<readonly [unknown, string]>([
    [{}, '`name` is missing. Send a string.'],
    [{ name: 'a' }, '`name` must be at least 2 characters long; received "a".'],
    [{ name: 'ab', count: 0 }, '`count` must be more than 0; received 0.'],
    [{ name: 'ab', count: 7 }, '`count` must be a multiple of 5; received 7.'],
    [{ name: 'ab', kind: 'd' }, '`kind` must be "a", "b" or "c"; received "d".'],
    [{ name: 'ab', urls: 'no' }, '`urls` must be a URL; received "no".'],
    [{ name: 'ab', urls: 7 }, '`urls` must be a string or a list; received 7.'],
    [{ name: 'ab', nested: {} }, '`nested.flag` is missing. Send true or false.'],
    [
      { name: 'ab', nested: { flag: true, deep: 1 } },
      '`deep` is not a field of `nested`. Remove it or correct its name.',
    ],
    [{ name: 'ab', even: 3 }, '`even` must be a valid value; received 3.'],
  ])('explain %j', (body, message) => {
    expect(readBodyMessages(schema, body)).toEqual([message]);
  });
});

describe.each(OPERATIONS.flatMap(({ id, requestBody }) => (requestBody ? [{ id, ...requestBody }] : [])))(
  'the messages of $id',
  ({ schema, example }) => {
    const names = fc.constantFrom(...Object.keys(example), 'days', 'limit', 'resource');
    const wrong = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(names, fc.jsonValue()),
      fc
        .tuple(names, fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.double({ noNaN: true })))
        .map(([name, value]) => ({ ...example, [name]: value })),
      fc
        .tuple(fc.string({ unit: 'binary' }), fc.jsonValue())
        .map(([name, value]) => ({ ...example, [name]: value })),
    );

    it('name the field and contain no text of zod, for any wrong body', () => {
      fc.assert(
        fc.property(wrong, (body) => {
          const problem = validate(schema, body);
          if (problem === null) return;
          problemSchema.parse(problem);
          // After ten mistakes, the last entry is the number of the other mistakes.
          for (const { path, message } of problem.errors?.slice(0, 10) ?? []) {
            // The quoted value and field names come from the request and may contain any text, so they are removed
            // first.
            const own = message.replace(/received ".*$/s, '').replaceAll(/`[^`]*`/g, '``');
            expect(own).not.toMatch(ZOD_TEXT);
            expect(own.length).toBeGreaterThan(15);
            expect(message).toMatch(/\.$/);
            expect(message).toContain(path === '' ? 'request body' : `\`${path}\``);
          }
        }),
      );
    });
  },
);
