import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatCursor, parseCursor } from './explore.ts';
import { EXPLORE_SORTS, InvalidCursorError } from './explore.ts';

const position = fc.record({
  sort: fc.constantFrom(...EXPLORE_SORTS),
  key: fc.double({ noNaN: true, noDefaultInfinity: true }).map((key) => key + 0),
  endpointId: fc.stringMatching(/^[a-z2-7]{10}$/),
});

it('parses what it formats, and accepts it only for the same order', () => {
  fc.assert(
    fc.property(position, fc.constantFrom(...EXPLORE_SORTS), (given, sort) => {
      const cursor = formatCursor(given);
      expect(cursor).toMatch(/^[\w-]+$/);
      if (sort === given.sort) expect(parseCursor(cursor, sort)).toEqual(given);
      else expect(() => parseCursor(cursor, sort)).toThrow(InvalidCursorError);
    }),
    { numRuns: 50 },
  );
});

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const VALID_ID = 'a'.repeat(10);
it.each([
  '',
  'x',
  '%',
  encode(null),
  encode(['score', '1', VALID_ID]),
  encode(['score', 1, "'; drop table public.snapshots; --"]),
  encode(['score', 1, VALID_ID, 1]),
  Buffer.from(`["score",1e999,"${VALID_ID}"]`).toString('base64url'),
  'A'.repeat(100_000),
])('refuses the cursor %j', (cursor) => {
  expect(() => parseCursor(cursor, 'score')).toThrow(InvalidCursorError);
});
