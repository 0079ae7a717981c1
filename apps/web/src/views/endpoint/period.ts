import { DAY_MS, formatDay } from '@touchstone/common';
import type { EndpointDay, Snapshot } from '@touchstone/store';
import { CHART_DAYS } from './day-series.ts';

/**
 * Formats the period of the 30-day figures of an endpoint: `since 2026-11-14` if the first probe is later than the
 * first of the 30 days, and otherwise `last 30 days`.
 *
 * @param days Days with probes, oldest first.
 */
export function formatPeriod(
  days: readonly Pick<EndpointDay, 'day'>[],
  { computedAt }: Pick<Snapshot, 'computedAt'>,
): string {
  const firstOfWindow = formatDay(Date.parse(computedAt) - (CHART_DAYS - 1) * DAY_MS);
  const first = days[0]?.day ?? firstOfWindow;
  return first > firstOfWindow ? `since ${first}` : `last ${CHART_DAYS} days`;
}

/** Formats a period of `formatPeriod` as a part of a sentence, such as "in the last 30 days". */
export function formatInPeriod(period: string): string {
  return period.startsWith('since') ? period : `in the ${period}`;
}
