import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatEventId, parseWatchCursor, WATCH_ID_EXAMPLE, watchIdSchema } from './watch-ids.ts';

const watchIds = fc.stringMatching(/^w_[a-z2-7]{26}$/);
const sequences = fc.integer({ min: 0, max: 2_147_483_647 });

describe('parseWatchCursor', () => {
  it('reads the sequence number of every event id of the watch, and of no other watch', () => {
    fc.assert(
      fc.property(watchIds, watchIds, sequences, (watchId, other, sequence) => {
        expect(watchIdSchema.parse(watchId)).toBe(watchId);
        expect(parseWatchCursor(formatEventId(watchId, sequence), watchId)).toBe(sequence);
        fc.pre(watchId !== other);
        expect(parseWatchCursor(formatEventId(other, sequence), watchId)).toBeNull();
      }),
    );
    expect(formatEventId(WATCH_ID_EXAMPLE, 0)).toBe('evt_k5xgq2dlmvzw433bnz2gs3tbme_0');
  });

  const start = 'evt_k5xgq2dlmvzw433bnz2gs3tbme_';
  it.each([
    start,
    `${start}-1`,
    `${start}01`,
    `${start}1.5`,
    `${start}1e3`,
    `${start}2147483648`,
    `${start}9999999999999`,
    `${start}7\n`,
    ` ${start}7`,
    `${start}7`.toUpperCase(),
    WATCH_ID_EXAMPLE,
    '0',
    '',
  ])('returns null for %j', (text) => {
    expect(parseWatchCursor(text, WATCH_ID_EXAMPLE)).toBeNull();
  });
});

describe('the id of a watch', () => {
  it.each(['', 'w_', 'w_abc', `${WATCH_ID_EXAMPLE}a`, WATCH_ID_EXAMPLE.toUpperCase(), 'w_1', null, 7])(
    'cannot be %j',
    (id) => {
      expect(watchIdSchema.safeParse(id).success).toBe(false);
    },
  );
});
