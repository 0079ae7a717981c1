import type { History } from '@touchstone/contract';

/** The figures of one day; null for what was not measured. */
export interface HistoryDay {
  readonly uptime: number | null;
  /** Median milliseconds to the first byte. */
  readonly latencyMs: number | null;
  readonly score: number | null;
  /** The last advertised price. It is drawn, never reckoned with. */
  readonly priceUsd: number | null;
}

const DAY_MS = 86_400_000;
/** What a history may cover, and the day on which it begins. */
const MOST_DAYS = 91;
const NOTHING: HistoryDay = { uptime: null, latencyMs: null, score: null, priceUsd: null };

/** Every day of a history in order, those without an entry included, so that gaps are seen. */
export function historyDays({ from, to, daily, probes }: History): HistoryDay[] {
  const prices = new Map<string, number>();
  for (const { at, amountUsd } of probes)
    if (amountUsd !== null) prices.set(at.slice(0, 10), Number(amountUsd));
  const entries = new Map(daily.map((entry) => [entry.day, entry]));
  const first = Date.parse(from.slice(0, 10));
  const count = Math.floor((Date.parse(to.slice(0, 10)) - first) / DAY_MS) + 1;
  return Array.from({ length: Math.min(MOST_DAYS, Math.max(0, count)) }, (_, index) => {
    const day = new Date(first + index * DAY_MS).toISOString().slice(0, 10);
    const entry = entries.get(day);
    const priceUsd = prices.get(day) ?? null;
    if (entry === undefined) return { ...NOTHING, priceUsd };
    const { probes: scored, up, latencyMsP50, score } = entry;
    return { uptime: scored === 0 ? null : up / scored, latencyMs: latencyMsP50, score, priceUsd };
  });
}
