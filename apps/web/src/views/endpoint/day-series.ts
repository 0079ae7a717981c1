import { PERIOD_DAYS } from '@touchstone/common';
import type { EndpointDay } from '@touchstone/store';
import { fillDays } from '@touchstone/ui';

interface DayValue {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly value: number | null;
}

/** Values of each UTC day for the charts, oldest first. All series have the same days. */
interface DaySeries {
  /** Percentage of the scored probes that succeeded, with the number of scored probes. */
  readonly uptime: readonly {
    readonly day: string;
    readonly uptime: number | null;
    readonly probes: number;
  }[];
  /** Last advertised price of the day, in US dollars. */
  readonly price: readonly DayValue[];
  /** Percentiles of the time to the last byte, in milliseconds. */
  readonly latencyP50: readonly DayValue[];
  readonly latencyP95: readonly DayValue[];
}

/**
 * Converts the stored days of an endpoint to the series of its charts, from the first day with probes.
 *
 * @param until Time of the snapshot; its UTC day is the last day of the charts.
 */
export function toDaySeries(days: readonly EndpointDay[], until: string): DaySeries {
  const filled = fillDays(days, until, PERIOD_DAYS);
  return {
    uptime: filled.map(({ day, value }) => ({
      day,
      uptime: value === null || value.scored === 0 ? null : (100 * value.up) / value.scored,
      probes: value?.scored ?? 0,
    })),
    price: filled.map(({ day, value }) => ({ day, value: toPrice(value?.amountUsd ?? null) })),
    latencyP50: filled.map(({ day, value }) => ({ day, value: value?.latencyMsP50 ?? null })),
    latencyP95: filled.map(({ day, value }) => ({ day, value: value?.latencyMsP95 ?? null })),
  };
}

/** Returns a price as a number; null without a price and for a price that is not a number. */
function toPrice(amountUsd: string | null): number | null {
  const price = amountUsd === null ? Number.NaN : Number(amountUsd);
  return Number.isFinite(price) ? price : null;
}
