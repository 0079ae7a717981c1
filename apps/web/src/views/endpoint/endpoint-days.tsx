import { formatCount, formatDay, formatMs, formatPercent, formatUsd } from '@touchstone/common';
import type { EndpointDay, Snapshot } from '@touchstone/store';
import { DayLine, UptimeStrip, fillDays } from '@touchstone/ui';
import { ChartScript } from '../../page-parts/chart-script.tsx';
import { type EndpointProps, Section } from './section.tsx';

interface DaysProps extends EndpointProps {
  /** Days with probes; days without probes are left out. */
  readonly days: readonly EndpointDay[];
  /** Location from which latency is measured. */
  readonly vantage: string;
}

/** Charts of at most the last 30 UTC days: daily uptime, price and latency. */
export function EndpointDays({ snapshot, days, vantage }: DaysProps) {
  return (
    <Section id="days" title="Last 30 days">
      {days.length === 0 ? (
        <p className="max-w-3xl text-ink-soft">{explainMissingDays(snapshot)}</p>
      ) : (
        <DayCharts snapshot={snapshot} days={days} vantage={vantage} />
      )}
    </Section>
  );
}

function DayCharts({ snapshot, days, vantage }: DaysProps) {
  const { computedAt, templated } = snapshot;
  const { uptime, price, latencyP50, latencyP95 } = toDaySeries(days, computedAt);
  return (
    <>
      <p className="max-w-3xl text-ink-soft">Each bar is one UTC day. {formatTotal(uptime, snapshot)}</p>
      <UptimeStrip days={uptime} className="mt-4" />
      <div className="mt-6 grid gap-6 sm:grid-cols-2">
        <DayLine
          title={templated ? 'Price per item' : 'Price per call'}
          yLabel="US dollars"
          lines={[{ label: 'Last price of the day', days: price }]}
          format={formatUsd}
          shape="step"
        />
        <DayLine
          title={`Latency from ${vantage}`}
          yLabel="Time to the last byte, ms"
          lines={[
            { label: 'p50', days: latencyP50 },
            { label: 'p95', days: latencyP95 },
          ]}
          format={formatMs}
          formatTick={formatCount}
        />
      </div>
      <ChartScript />
    </>
  );
}

/** Formats the 30-day uptime of the snapshot with the first day that it covers. */
function formatTotal(days: DaySeries['uptime'], { uptime30d, blockedSince }: Snapshot): string {
  const first = days.find(({ probes }) => probes > 0);
  if (first === undefined || uptime30d === null) return 'No probe of these days could be scored.';
  const total = `Uptime since ${first.day}: ${formatPercent(uptime30d / 100)} of scored probes succeeded.`;
  return blockedSince === null ? total : `${total} Every probe since ${formatDay(blockedSince)} was blocked.`;
}

/** Returns the reason why an endpoint has no charts, as a sentence. */
function explainMissingDays({ templated, lastProbedAt }: Snapshot): string {
  if (templated) return 'No probe: a URL with placeholders cannot be probed, and no resolved URL is known.';
  return lastProbedAt === null
    ? 'No probe yet. Daily uptime, price and latency appear after the first one.'
    : 'No probe in the last 30 days, so there are no daily figures.';
}

/** Maximum number of days in the charts. The 30-day figures of a snapshot have the same UTC days. */
export const CHART_DAYS = 30;

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
  const filled = fillDays(days, until, CHART_DAYS);
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
