import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import type { NewMaintenanceWindow } from '@touchstone/store';
import { describe, expect, it } from 'vitest';
import { findMaintenanceMistake } from './plan-maintenance.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const toWindow = (start: number, hours = 1): NewMaintenanceWindow => ({
  endpointId: null,
  startsAt: new Date(start).toISOString(),
  endsAt: new Date(start + hours * HOUR_MS).toISOString(),
  text: 'Upgrade',
});
const announce = (window: NewMaintenanceWindow) => ({
  ...window,
  resource: null,
  announcedAt: new Date(NOW - 40 * DAY_MS).toISOString(),
});
/** Returns windows of some hours, one a day; windows of less than an hour begin every hour. */
const list = (count: number, start: number, hours: number) =>
  Array.from({ length: count }, (_, index) =>
    toWindow(start + index * (hours < 1 ? HOUR_MS : DAY_MS), hours),
  );
const find = (
  requested: readonly NewMaintenanceWindow[],
  announced: readonly NewMaintenanceWindow[] = [],
): string | null => findMaintenanceMistake(announced.map(announce), requested, NOW)?.detail ?? null;

describe('maintenance windows', () => {
  it('are announced ten minutes before they start', () => {
    expect(find([toWindow(NOW + 10 * MINUTE_MS)])).toBeNull();
    expect(find([toWindow(NOW + 10 * MINUTE_MS - 1)])).toMatch(
      /^`maintenance\.0` must start at least 10 minutes after this request; received 2026-06-01T12:09:59\.999Z\./,
    );
    expect(find([toWindow(NOW - HOUR_MS)])).toContain('must start at least 10 minutes after');
  });

  it('may be repeated after they were announced, and not changed after they started', () => {
    const started = toWindow(NOW - MINUTE_MS);
    expect(find([started], [started])).toBeNull();
    expect(find([toWindow(NOW + MINUTE_MS)], [toWindow(NOW + MINUTE_MS)])).toBeNull();
    expect(find([{ ...started, text: 'Other' }], [started])).toContain('must start at least');
  });

  it('last more than nothing, and at most 24 hours', () => {
    expect(find([toWindow(NOW + HOUR_MS, 24)])).toBeNull();
    expect(find([toWindow(NOW + HOUR_MS, 25)])).toContain('must last at most 24 hours; received 25.0 hours.');
    expect(find([toWindow(NOW + HOUR_MS, 0)])).toContain('must end after its start');
  });

  it('have at most 10 windows that have not started', () => {
    expect(find(list(10, NOW + HOUR_MS, 1))).toBeNull();
    expect(find(list(11, NOW + HOUR_MS, 1))).toContain(
      'at most 10 windows that have not started; received 11.',
    );
    expect(find(list(10, NOW + HOUR_MS, 1), list(3, NOW - 5 * DAY_MS, 1))).toBeNull();
  });

  it('last at most 72 hours within 30 days, with those that have ended', () => {
    const ended = list(2, NOW - 20 * DAY_MS, 24);
    expect(find([toWindow(NOW + HOUR_MS, 24)], ended)).toBeNull();
    expect(find([toWindow(NOW + HOUR_MS, 24), toWindow(NOW + 40 * HOUR_MS, 1)], ended)).toContain(
      'must last at most 72 hours together, with those that have ended; received 73.0 hours.',
    );
    expect(find([toWindow(NOW + 31 * DAY_MS, 24), toWindow(NOW + 33 * DAY_MS, 24)], ended)).toBeNull();
    expect(find(list(10, NOW + HOUR_MS, 0.1), list(21, NOW - 5 * DAY_MS, 0.1))).toContain(
      'At most 30 maintenance windows may start within 30 days',
    );
  });
});
