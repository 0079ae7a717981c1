import { DAY_MS } from '@touchstone/common';
import type { History } from '@touchstone/contract';

/** Figures of one day. A figure that was not measured is null. */
export interface HistoryDay {
  readonly uptime: number | null;
  /** Median time to the last byte of the response, in milliseconds. */
  readonly latencyMs: number | null;
  readonly score: number | null;
  /** Last advertised price of the day, in US dollars. A floating-point number is exact enough for a chart. */
  readonly priceUsd: number | null;
}

/** Maximum number of calendar days. A history of 90 × 24 hours touches 91 calendar days. */
const MAX_DAYS = 91;
const NOT_MEASURED: HistoryDay = { uptime: null, latencyMs: null, score: null, priceUsd: null };

/** Lists every day of a history in order. Days without figures are included, so that the chart shows gaps. */
export function listHistoryDays({ from, to, daily, probes }: History): HistoryDay[] {
  const prices = new Map<string, number>();
  for (const { at, amountUsd } of probes)
    if (amountUsd !== null) prices.set(at.slice(0, 10), Number(amountUsd));
  const entries = new Map(daily.map((entry) => [entry.day, entry]));
  const first = Date.parse(from.slice(0, 10));
  const count = Math.floor((Date.parse(to.slice(0, 10)) - first) / DAY_MS) + 1;
  return Array.from({ length: Math.min(MAX_DAYS, Math.max(0, count)) }, (_, index) => {
    const day = new Date(first + index * DAY_MS).toISOString().slice(0, 10);
    const entry = entries.get(day);
    const priceUsd = prices.get(day) ?? null;
    if (entry === undefined) return { ...NOT_MEASURED, priceUsd };
    const { scored, up, latencyMsP50, score } = entry;
    return { uptime: scored === 0 ? null : up / scored, latencyMs: latencyMsP50, score, priceUsd };
  });
}
