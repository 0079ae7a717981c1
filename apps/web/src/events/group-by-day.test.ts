import { expect, it } from 'vitest';
import { createEvent } from '../testing/events.ts';
import { groupByDay } from './group-by-day.ts';

it('groups events by UTC day and keeps their order', () => {
  const times = ['2026-11-20T23:59:59.999Z', '2026-11-20T00:00:00.000Z', '2026-11-19T23:59:59.999Z'];
  const [first, second, third] = times.map((at, index) => createEvent({ id: String(index), at }));
  expect(groupByDay([first, second, third].filter((event) => event !== undefined))).toEqual([
    { day: '2026-11-20', events: [first, second] },
    { day: '2026-11-19', events: [third] },
  ]);
  expect(groupByDay([])).toEqual([]);
});
