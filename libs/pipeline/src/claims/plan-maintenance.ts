import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import {
  MAX_MAINTENANCE_HOURS,
  MAX_MAINTENANCE_HOURS_30D,
  MAX_MAINTENANCE_WINDOWS,
  MAX_MAINTENANCE_WINDOWS_30D,
  MIN_MAINTENANCE_NOTICE_MINUTES,
} from '@touchstone/contract/shared/claim-limits';
import type { ClaimSettings, NewMaintenanceWindow } from '@touchstone/store';
import { createInvalid } from '../problem.ts';

type Announced = ClaimSettings['maintenance'][number];
type Problem = ReturnType<typeof createInvalid>;

/**
 * Returns the first mistake of a complete list of maintenance windows, or null without a mistake. A window that is
 * announced already may be repeated in the list, also after its start.
 *
 * @param announced Windows of the claim, also those that have started or ended.
 * @param now Milliseconds since the epoch.
 */
export function findMaintenanceMistake(
  announced: readonly Announced[],
  requested: readonly NewMaintenanceWindow[],
  now: number,
): Problem | null {
  const started = announced.filter(({ startsAt }) => Date.parse(startsAt) <= now);
  const future = requested.filter((window) => !started.some((other) => isSame(window, other)));
  for (const [index, window] of requested.entries()) {
    const message = announced.some((other) => isSame(window, other)) ? null : explainWindow(window, now);
    if (message !== null) return createInvalid(`maintenance.${index}`, `\`maintenance.${index}\` ${message}`);
  }
  if (future.length > MAX_MAINTENANCE_WINDOWS)
    return createInvalid(
      'maintenance',
      `\`maintenance\` must have at most ${MAX_MAINTENANCE_WINDOWS} windows that have not started; received ${future.length}.`,
    );
  const message = explainTotal([...started, ...future]);
  return message === null ? null : createInvalid('maintenance', message);
}

function isSame(one: NewMaintenanceWindow, other: Announced): boolean {
  return (
    one.endpointId === other.endpointId &&
    one.text === other.text &&
    Date.parse(one.startsAt) === Date.parse(other.startsAt) &&
    Date.parse(one.endsAt) === Date.parse(other.endsAt)
  );
}

function explainWindow({ startsAt, endsAt }: NewMaintenanceWindow, now: number): string | null {
  const [start, end] = [Date.parse(startsAt), Date.parse(endsAt)];
  if (start < now + MIN_MAINTENANCE_NOTICE_MINUTES * MINUTE_MS)
    return `must start at least ${MIN_MAINTENANCE_NOTICE_MINUTES} minutes after this request; received ${startsAt}. Maintenance is announced before it starts: choose a later start.`;
  if (end <= start) return `must end after its start; received ${endsAt}.`;
  if (end - start > MAX_MAINTENANCE_HOURS * HOUR_MS)
    return `must last at most ${MAX_MAINTENANCE_HOURS} hours; received ${formatHours(end - start)}.`;
  return null;
}

/** Maximum duration and number of the windows that start within 30 days. */
function explainTotal(windows: readonly Pick<Announced, 'startsAt' | 'endsAt'>[]): string | null {
  const times = windows.map(({ startsAt, endsAt }) => [Date.parse(startsAt), Date.parse(endsAt)] as const);
  for (const [start] of times) {
    const period = times.filter(([other]) => other <= start && other > start - 30 * DAY_MS);
    const total = period.reduce((sum, [from, to]) => sum + to - from, 0);
    if (total > MAX_MAINTENANCE_HOURS_30D * HOUR_MS)
      return `Maintenance windows that start within 30 days must last at most ${MAX_MAINTENANCE_HOURS_30D} hours together, with those that have ended; received ${formatHours(total)}.`;
    if (period.length > MAX_MAINTENANCE_WINDOWS_30D)
      return `At most ${MAX_MAINTENANCE_WINDOWS_30D} maintenance windows may start within 30 days, with those that have ended; received ${period.length}.`;
  }
  return null;
}

function formatHours(ms: number): string {
  return `${(ms / HOUR_MS).toFixed(1)} hours`;
}
