import type { EventEntry } from '@touchstone/store';
import { expect, it } from 'vitest';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { describeDecisiveEvent, describeEvent, sortByTime } from './endpoint-events.ts';

const createEvent = (kind: EventEntry['kind'], day: string): EventEntry => ({
  id: `${kind}-${day}`,
  kind,
  at: `${day}T08:00:00.000Z`,
});
const SPIKE = createEvent('price-spike', '2026-03-03');
const MOVE = createEvent('takeover-suspected', '2026-03-01');
const UNDELIVERED = createEvent('paid-not-delivered', '2026-03-04');
const OUTAGE = createEvent('outage', '2026-03-04');
const DELISTING = createEvent('delisted', '2026-03-02');

const createDays = (...prices: readonly (string | null)[]) =>
  prices.map((amountUsd, index) => ({ day: `2026-03-0${String(index + 1)}`, amountUsd }));
const RISE = createDays('0.020000', null, '0.400000', '0.400000');
const avoided = (overrides: object = {}) =>
  createTestSnapshot({ recommendation: 'avoid', errorFlags: 1, amountUsd: '0.400000', ...overrides });

it('sorts events by the time at which they happened', () => {
  expect(sortByTime([MOVE, OUTAGE, DELISTING])).toEqual([OUTAGE, DELISTING, MOVE]);
});

it.each([
  ['the prices of a price spike', SPIKE, RISE, {}, '$0.02 to $0.40'],
  ['no price that fell on the same day', SPIKE, createDays('0.020000', null, '0.020000'), {}, null],
  ['no price without an earlier one', SPIKE, createDays(null, null, '0.400000'), {}, null],
  ['the end of a delisting', DELISTING, [], {}, 'listed again'],
  ['nothing on an endpoint that is still delisted', DELISTING, [], { listingStatus: 'delisted' }, null],
  ['the end of an outage', OUTAGE, [], {}, 'up again'],
  ['nothing on an outage that lasts', OUTAGE, [], { failingSince: OUTAGE.at }, null],
  ['nothing on a change of payTo', MOVE, [], {}, null],
] as const)('adds %s', (...[, event, days, overrides, note]) => {
  expect(describeEvent(event, createTestSnapshot(overrides), days)).toBe(note);
});

it.each([
  [{}, [MOVE, SPIKE, OUTAGE, DELISTING], 'Price spike, 2026-03-03: $0.02 to $0.40.'],
  [{}, [DELISTING, MOVE], 'payTo changed, 2026-03-01: began to ask for payments to another address.'],
  // The price has fallen since, and the change of payTo is older than seven days.
  [{ amountUsd: '0.020000', computedAt: '2026-03-09T00:00:00.000Z' }, [SPIKE, MOVE], null],
  [
    { delivery: { state: 'failed' } },
    [UNDELIVERED, MOVE],
    'Paid, not delivered, 2026-03-04: took the money of test purchases on two days and delivered nothing.',
  ],
  [{ delivery: { state: 'mixed' }, computedAt: '2026-03-09T00:00:00.000Z' }, [UNDELIVERED], null],
  [{ errorFlags: 0 }, [SPIKE, MOVE], null],
  [{ recommendation: 'caution' }, [SPIKE, MOVE], null],
  [{}, [OUTAGE, DELISTING], null],
] as const)('the decisive event of %j', (overrides, events, text) => {
  expect(describeDecisiveEvent(avoided(overrides), RISE, events)).toBe(text);
});
