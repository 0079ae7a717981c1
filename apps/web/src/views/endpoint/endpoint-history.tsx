import { formatCount, formatDay, formatMs, formatUsd, formatUsdRange } from '@touchstone/common';
import { MAX_COUNTED_ALTERNATIVES } from '@touchstone/contract';
import { historyOperation } from '@touchstone/contract/operations/history/operation';
import type { EndpointDay, Snapshot } from '@touchstone/store';
import { DayLine, Timestamp, toPlainText } from '@touchstone/ui';
import { getNetworkName } from '@touchstone/x402/networks';
import { describeCause } from '../../page-parts/cause-text.ts';
import { toDaySeries } from './day-series.ts';
import { ClosedSection, type EndpointProps } from './section.tsx';
import { formatListing } from './subject.tsx';

interface HistoryProps extends EndpointProps {
  /** Days with probes; days without probes are left out. */
  readonly days: readonly EndpointDay[];
  /** Location from which latency is measured. */
  readonly vantage: string;
}

/** Price and latency of each day, the record of the monitoring, and the price of the complete history. */
export function EndpointHistory({ snapshot, days, vantage }: HistoryProps) {
  const { price, latencyP50, latencyP95 } = toDaySeries(days, snapshot.computedAt);
  return (
    <ClosedSection
      id="history"
      title="History"
      gist="Price and latency by day, and the record of the monitoring"
    >
      {days.length === 0 ? null : (
        <div className="mb-3 grid gap-x-8 gap-y-4 sm:grid-cols-2">
          {price.every(({ value }) => value === null) ? null : (
            <DayLine
              title={snapshot.templated ? 'Price per item' : 'Price per call'}
              yLabel="US dollars"
              lines={[{ label: 'Last price of the day', days: price }]}
              format={formatUsd}
              shape="step"
            />
          )}
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
      )}
      <Monitoring snapshot={snapshot} />
      {historyOperation.priceUsd === null ? null : (
        <p className="mt-2 text-sm text-ink-soft">
          Each probe and each change of up to 90 days:{' '}
          <a href={`/docs#${historyOperation.id}`}>history for {formatUsd(historyOperation.priceUsd)}</a>.
        </p>
      )}
    </ClosedSection>
  );
}

/** Figures of the monitoring that are not among the facts at the top of the page. */
function Monitoring({ snapshot }: EndpointProps) {
  const { firstSeen, daysTracked, lastProbedAt, priceStability, network } = snapshot;
  const { lowestPriceUsd30d, highestPriceUsd30d } = snapshot;
  const name = network === null ? null : getNetworkName(network);
  return (
    <dl className="grid gap-x-10 text-sm sm:grid-cols-2 lg:grid-cols-3">
      <Line term="First seen">
        {formatDay(firstSeen)}, {formatCount(daysTracked, 'day')} tracked
      </Line>
      <Line term="Last probe in the snapshot">
        {lastProbedAt === null ? 'not probed' : <Timestamp iso={lastProbedAt} />}
      </Line>
      <Line term="Probe schedule">{formatSchedule(snapshot)}</Line>
      <Line term="Price stability, last 30 days">{priceStability ?? 'not measured'}</Line>
      <Line term="Price range, last 30 days">
        {formatUsdRange(lowestPriceUsd30d, highestPriceUsd30d) ?? 'not measured'}
      </Line>
      <Line term="Network">
        {network === null ? 'not advertised' : name === null ? network : `${name}, ${network}`}
      </Line>
      <Line term="Directory">{formatListing(snapshot)}</Line>
      <Line term="Better alternatives">{formatAlternatives(snapshot.betterAlternatives)}</Line>
      <Failures snapshot={snapshot} />
    </dl>
  );
}

function Line({ term, children }: { readonly term: string; readonly children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 border-t border-line py-1">
      <dt className="text-ink-soft">{term}</dt>
      <dd className="min-w-0 tabular-nums [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

/**
 * Formats the frequency of the probes. A URL template without probes has no schedule, because only a URL with real
 * values can be probed.
 */
function formatSchedule({ probes30d, probedPerDay, duePerDay, templated, lastProbedAt }: Snapshot): string {
  if (probes30d > 0 && probedPerDay !== null && duePerDay !== null)
    return `${probedPerDay} of ${duePerDay} per day`;
  if (probes30d > 0) return 'about one every 30 minutes';
  return templated || lastProbedAt !== null ? 'none' : 'not probed yet';
}

/**
 * Formats the number of better alternatives.
 *
 * @param count 10 means 10 or more; null means that the alternatives are not counted yet.
 */
function formatAlternatives(count: number | null): string {
  if (count === null) return 'not computed yet';
  if (count === 0) return 'none';
  return count >= MAX_COUNTED_ALTERNATIVES ? `${MAX_COUNTED_ALTERNATIVES} or more` : String(count);
}

type LastFailure = NonNullable<Snapshot['lastFailure']>;

/** Maximum number of causes in the list of failed probes; the most frequent are shown. */
const MAX_CAUSES = 5;
/** Maximum length of the sentence on a failure, in UTF-16 units. */
const MAX_DETAIL_LENGTH = 200;

/** Latest failure of an endpoint that has recovered, and the causes of all failed probes. */
function Failures({ snapshot: { lastFailure, failingSince } }: EndpointProps) {
  if (lastFailure === null) return null;
  return (
    <>
      {failingSince === null ? (
        <Line term="Last failure">
          <Timestamp iso={lastFailure.at} />: <bdi>{toPlainText(lastFailure.detail, MAX_DETAIL_LENGTH)}</bdi>
        </Line>
      ) : null}
      {Object.keys(lastFailure.causes30d).length === 0 ? null : (
        <Line term="Failed probes, last 30 days">{formatCauses(lastFailure)}</Line>
      )}
    </>
  );
}

/**
 * Formats the numbers of failed probes by cause, such as `61 × HTTP 410 Gone, 2 × HTTP 403 Forbidden (not counted in the
 * uptime)`. The most frequent cause is first.
 */
function formatCauses({ causes30d }: LastFailure): string {
  const causes = Object.entries(causes30d).sort(([, one], [, other]) => other - one);
  const shown = causes.slice(0, MAX_CAUSES).map(([cause, count]) => formatCause(cause, count));
  return causes.length > MAX_CAUSES ? `${shown.join(', ')}, …` : shown.join(', ');
}

function formatCause(cause: string, count: number): string {
  const { label, isDown, effect } = describeCause(cause);
  return `${formatCount(count)} × ${label}${isDown || effect === null ? '' : ` (${effect})`}`;
}
