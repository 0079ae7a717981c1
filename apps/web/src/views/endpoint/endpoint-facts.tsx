import {
  formatCount,
  formatInPeriod,
  formatMs,
  formatPercent,
  formatPeriod,
  formatUsd,
} from '@touchstone/common';
import { formatProbeCounts } from '@touchstone/contract';
import type { EndpointDay, Snapshot } from '@touchstone/store';
import { Stat } from '@touchstone/ui';
import { selectMainOption } from '@touchstone/trust';
import { ExplorerLink } from '../../page-parts/explorer-link.tsx';
import type { EndpointProps } from './section.tsx';

interface FactsProps extends EndpointProps {
  /** Days with probes of the last 30 days, oldest first. */
  readonly days: readonly EndpointDay[];
  /** Location from which latency is measured. */
  readonly vantage: string;
}

/** The four facts that decide about a payment: price, uptime, latency and payTo address. */
export function EndpointFacts({ snapshot, days, vantage }: FactsProps) {
  const { uptime30d, probes30d } = snapshot;
  return (
    <dl
      aria-label="Facts"
      className="mt-1 grid grid-cols-2 gap-x-3 *:border-t-0 max-lg:*:last:col-span-2 sm:gap-x-8 lg:grid-cols-[1fr_1fr_1.1fr_2fr]"
    >
      <Price snapshot={snapshot} days={days} />
      <Stat
        label={`Uptime ${formatInPeriod(formatPeriod(days[0]?.day, snapshot.computedAt))}`}
        value={uptime30d === null ? null : formatPercent(uptime30d / 100)}
        missing={probes30d > 0 ? 'no probe could be scored' : 'not probed'}
        note={formatUptimeNote(snapshot)}
      />
      <Latency snapshot={snapshot} vantage={vantage} />
      <PayTo snapshot={snapshot} />
    </dl>
  );
}

function Price({ snapshot, days }: Omit<FactsProps, 'vantage'>) {
  const { amountUsd, templated, payOn, recommendation } = snapshot;
  if (recommendation === 'free') {
    const listed = amountUsd === null ? '' : `; the directory lists ${formatUsd(amountUsd)}`;
    return <Stat label="Price per call" value="Free" note={`no payment requested${listed}`} />;
  }
  return (
    <Stat
      label={templated ? 'Price per item' : 'Price per call'}
      value={amountUsd === null ? null : `${formatUsd(amountUsd)} USDC`}
      missing={payOn.length === 0 ? 'not advertised' : 'not advertised in US dollars'}
      note={joinNotes(isUnconfirmed(snapshot) ? LISTED : null, describePriceChange(snapshot, days))}
    />
  );
}

/** Returns true if price and payTo address come from a directory, and no payment challenge has confirmed them. */
export function isUnconfirmed({
  isCompliant,
  listingSource,
  payOn,
}: Pick<Snapshot, 'isCompliant' | 'listingSource' | 'payOn'>): boolean {
  return isCompliant === null && listingSource === 'directory' && payOn.length > 0;
}

/** Source of a value for which `isUnconfirmed` returns true. */
const LISTED = 'as the directory lists it, not confirmed by a probe';

const joinNotes = (...notes: readonly (string | null | undefined)[]): string =>
  notes.filter((note) => typeof note === 'string').join('; ');

function formatUptimeNote(snapshot: Snapshot): string {
  return snapshot.blocked30d === 0
    ? `of ${formatCount(snapshot.scoredProbes30d, 'scored probe')}`
    : formatProbeCounts(snapshot);
}

function Latency({ snapshot, vantage }: Omit<FactsProps, 'days'>) {
  const { latencyMsP50: p50, latencyMsP95: p95, latencyMs, latencyLabel, probes30d, failingSince } = snapshot;
  const average = latencyMs === null ? '' : `, average ${formatMs(latencyMs)}`;
  return (
    <Stat
      label={`Latency from ${vantage}`}
      value={
        p50 === null || p95 === null ? null : (
          <>
            <span className="mr-2 whitespace-nowrap">
              {formatMs(p50)} <span className="text-sm font-normal text-ink-soft">p50</span>
            </span>{' '}
            <span className="whitespace-nowrap">
              {formatMs(p95)} <span className="text-sm font-normal text-ink-soft">p95</span>
            </span>
          </>
        )
      }
      missing={probes30d > 0 ? 'no response to measure' : 'not probed'}
      note={`${latencyLabel ?? 'last 30 days'}${failingSince === null ? '' : ' when it worked'}${average}`}
    />
  );
}

/** Address to which the main payment option pays, complete, so that a reader can compare it. */
function PayTo({ snapshot }: Pick<FactsProps, 'snapshot'>) {
  const { payOn, recommendation } = snapshot;
  const main = selectMainOption(payOn);
  const others = new Set(payOn.map(({ payTo }) => payTo)).size - 1;
  return (
    <Stat
      label="payTo address"
      value={
        main === null ? null : (
          // The script places the button 8 pixels below the top of the block, beside the first line of the address.
          <div
            data-copyable=""
            className="relative -mt-2 -mr-2 min-h-12 pr-22 [&>button]:border-edge [&>button]:bg-transparent [&>button]:text-ink"
          >
            <pre
              role="group"
              aria-label="payTo address"
              className="pt-3.5 font-mono text-sm leading-snug font-normal wrap-anywhere whitespace-pre-wrap"
            >
              <ExplorerLink network={main.network} address={main.payTo} />
            </pre>
          </div>
        )
      }
      missing={recommendation === 'free' ? 'no payment requested' : 'not advertised'}
      note={joinNotes(
        isUnconfirmed(snapshot) ? LISTED : null,
        others > 0 ? `${formatCount(others)} more in the payment options` : null,
      )}
    />
  );
}

/**
 * Describes the latest change of the advertised price within the days of the charts. Returns undefined without a price,
 * and for the price of a listing that no challenge has confirmed.
 */
export function describePriceChange(
  { amountUsd, templated, isCompliant }: Pick<Snapshot, 'amountUsd' | 'templated' | 'isCompliant'>,
  days: readonly EndpointDay[],
): string | undefined {
  if (amountUsd === null) return undefined;
  if (templated) return 'can vary by item';
  const priced = days.flatMap((day) => (day.amountUsd === null ? [] : [{ ...day, price: day.amountUsd }]));
  const [first] = priced;
  if (first === undefined) return isCompliant === null ? undefined : 'not observed in the last 30 days';
  const earlier = priced.findLast(({ price }) => Number(price) !== Number(amountUsd));
  return earlier === undefined
    ? `unchanged since ${first.day}`
    : `was ${formatUsd(earlier.price)} until ${earlier.day}`;
}
