import { formatConstantPercent, formatCount, formatShare, formatUsd } from '@touchstone/common';
import { GRADES, RECOMMENDATIONS, type Recommendation } from '@touchstone/contract';
import type { EcosystemDay } from '@touchstone/store';
import {
  Age,
  BandDays,
  DayLine,
  GRADE_FILLS,
  StackedDays,
  type StackedSeries,
  Timestamp,
  fillDays,
  formatGrade,
  formatNetwork,
  describeRecommendation,
  toPlainText,
} from '@touchstone/ui';

/** Maximum number of days that the charts show. */
export const HISTORY_DAYS = 30;

/** Label of the y axis of shares. */
const SHARE_LABEL = 'Share of listed endpoints';

type Filled = ReturnType<typeof fillDays<EcosystemDay>>;

/** Figures of all endpoints over at most the last 30 days. Charts need at least two days of data. */
export function History({ days }: { readonly days: readonly EcosystemDay[] }) {
  const [first] = days;
  const latest = days.at(-1);
  return (
    <section aria-labelledby="history" className="mt-16">
      <h2 id="history">Over time</h2>
      {first === undefined || latest === undefined ? (
        <p className="mt-2 text-ink-soft">No day is recorded yet. The first figures appear within an hour.</p>
      ) : days.length === 1 ? (
        <p className="mt-2 text-ink-soft">
          History begins on {first.day}. Charts appear here on the second day (UTC).
        </p>
      ) : (
        <Charts filled={fillDays(days, latest.day, HISTORY_DAYS)} latest={latest} />
      )}
    </section>
  );
}

function Charts({ filled, latest }: { readonly filled: Filled; readonly latest: EcosystemDay }) {
  const networks = createNetworkSeries(latest.networks);
  const since = filled.find(({ value }) => value !== null)?.day ?? latest.day;
  return (
    <>
      <p className="mt-2 max-w-2xl text-ink-soft">
        Since {since}, one value per UTC day: the last of the day. Latest figures of{' '}
        <Timestamp iso={latest.computedAt} />
        {' · '}
        <Age iso={latest.computedAt} />.
      </p>
      <Lines filled={filled} />
      <div className="mt-10 grid gap-x-10 gap-y-10 lg:grid-cols-2">
        <StackedDays
          title="Grades"
          yLabel={SHARE_LABEL}
          series={GRADE_SERIES}
          days={filled.map(({ day, value }) => ({ day, values: value?.grades ?? {} }))}
        />
        <StackedDays
          title="Recommendations"
          yLabel={SHARE_LABEL}
          series={RECOMMENDATION_SERIES}
          days={filled.map(({ day, value }) => ({ day, values: value?.recommendations ?? {} }))}
        />
        <Prices filled={filled} />
        <StackedDays
          title="Accepted networks"
          yLabel="Share of the networks that listed endpoints accept"
          series={networks}
          days={filled.map(({ day, value }) => ({
            day,
            values: value === null ? {} : groupNetworks(value.networks, networks),
          }))}
        />
      </div>
      <script src="/charts.js" defer />
    </>
  );
}

function Lines({ filled }: { readonly filled: Filled }) {
  const select = (label: string, read: (day: EcosystemDay) => number | null) => ({
    label,
    days: filled.map(({ day, value }) => ({ day, value: value === null ? null : read(value) })),
  });
  const toShare =
    (count: (day: EcosystemDay) => number) =>
    (day: EcosystemDay): number | null =>
      isProbed(day) ? count(day) / day.listed : null;
  return (
    <div className="mt-6 grid gap-x-10 gap-y-8 lg:grid-cols-2">
      <DayLine
        title="Reachable and compliant endpoints"
        yLabel={SHARE_LABEL}
        lines={[
          select(
            'Reachable',
            toShare(({ reachable }) => reachable),
          ),
          select(
            'Compliant',
            toShare(({ compliant }) => compliant),
          ),
        ]}
        format={formatShare}
        formatTick={formatConstantPercent}
        maximum={1}
      />
      <DayLine
        title="Catalog"
        yLabel="Number of endpoints and of hosts"
        lines={[
          select('Endpoints', ({ endpoints }) => endpoints),
          select('Hosts', ({ providers }) => providers),
        ]}
        format={formatCount}
      />
    </div>
  );
}

/** Returns true if at least one listed endpoint was probed before the figures of the day were computed. */
function isProbed({ reachable, causes }: EcosystemDay): boolean {
  return reachable > 0 || Object.values(causes).some((count) => count > 0);
}

/** Quartiles of the prices. */
function Prices({ filled }: { readonly filled: Filled }) {
  return (
    <BandDays
      title="Price per call of listed endpoints"
      yLabel="US dollars"
      names={{ low: '25th percentile', middle: 'median', high: '75th percentile' }}
      format={formatUsd}
      days={filled.map(({ day, value }) => ({ day, band: toBand(value?.prices ?? null) }))}
    />
  );
}

function toBand(prices: EcosystemDay['prices']) {
  if (prices === null) return null;
  return { low: Number(prices.p25), middle: Number(prices.p50), high: Number(prices.p75) };
}

const RECOMMENDATION_FILLS: Readonly<Record<Recommendation, string>> = {
  proceed: 'fill-chart-proceed',
  caution: 'fill-chart-caution',
  parameterize: 'fill-chart-parameterize',
  avoid: 'fill-chart-avoid',
  unverified: 'fill-chart-unverified',
  free: 'fill-chart-free',
};

const NETWORK_FILLS = [
  'fill-chart-network-1',
  'fill-chart-network-2',
  'fill-chart-network-3',
  'fill-chart-network-4',
] as const;

/** Series of the grades, best first. */
const GRADE_SERIES: readonly StackedSeries[] = GRADES.map((grade) => ({
  id: grade,
  label: formatGrade(grade),
  className: GRADE_FILLS[grade],
  letter: grade,
}));

/** Series of the recommendations. */
const RECOMMENDATION_SERIES: readonly StackedSeries[] = RECOMMENDATIONS.map((recommendation) => ({
  id: recommendation,
  label: describeRecommendation(recommendation).label,
  className: RECOMMENDATION_FILLS[recommendation],
}));

/**
 * Creates the series of the most frequent networks of a day, of the other networks, and of endpoints that accept
 * none. An endpoint counts once for each of its networks, as on the explore page.
 */
export function createNetworkSeries(networks: EcosystemDay['networks']): readonly StackedSeries[] {
  const named = findFrequentNetworks(networks, NETWORK_FILLS.length).map(({ id }, index) => ({
    id,
    label: formatNetwork(id),
    title: toPlainText(id),
    className: NETWORK_FILLS[index] ?? NETWORK_FILLS[0],
  }));
  return [
    ...named,
    { id: OTHER_NETWORKS, label: 'Other networks', className: 'fill-chart-network-other' },
    { id: NO_NETWORK, label: 'No network known', className: 'fill-chart-network-none' },
  ];
}

/** Adds the counts of networks without a separate series to the other networks. */
export function groupNetworks(
  networks: EcosystemDay['networks'],
  series: readonly StackedSeries[],
): Readonly<Record<string, number>> {
  const ids = new Set(series.map(({ id }) => id));
  const grouped: Record<string, number> = {};
  for (const [network, count] of Object.entries(networks)) {
    const id = ids.has(network) ? network : OTHER_NETWORKS;
    grouped[id] = (grouped[id] ?? 0) + count;
  }
  return grouped;
}

/** Key of the networks that are counted together. The key is not a CAIP-2 id. */
const OTHER_NETWORKS = 'other';
/** Key of endpoints without a network. The key is not a CAIP-2 id. */
const NO_NETWORK = 'none';

/** Returns the most frequent networks with their number of endpoints, the most frequent first. */
export function findFrequentNetworks(
  networks: Readonly<Record<string, number>>,
  limit: number,
): readonly { readonly id: string; readonly count: number }[] {
  return Object.entries(networks)
    .filter(([id]) => id !== OTHER_NETWORKS && id !== NO_NETWORK)
    .map(([id, count]) => ({ id, count }))
    .sort((one, other) => other.count - one.count || one.id.localeCompare(other.id))
    .slice(0, limit);
}
