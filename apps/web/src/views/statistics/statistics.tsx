import { formatCount, formatShare, formatUsd } from '@touchstone/common';
import type { Ecosystem, EcosystemDay } from '@touchstone/store';
import {
  Age,
  formatNetwork,
  GradeDistribution,
  PageFrame,
  Stat,
  Timestamp,
  toPlainText,
} from '@touchstone/ui';
import { describeCause } from '../../page-parts/cause-text.ts';
import { type ExploreParams, NO_PARAMS, toExploreUrl } from '../../interactive/explore/explore-params.ts';
import { EmptyState, RecommendationCounts } from '../../page-parts/list-parts.tsx';
import { History, findFrequentNetworks } from './history.tsx';

interface Props {
  readonly ecosystem: Ecosystem;
  /** Figures of the recorded days, oldest first. */
  readonly days: readonly EcosystemDay[];
  /** True if the endpoints and the payments are those of the sandbox. */
  readonly isSimulated?: boolean;
}

/**
 * Statistics of the ecosystem: number of endpoints, grades and recommendations, their history, and causes of failures.
 */
export function Statistics({ ecosystem, days, isSimulated = false }: Props) {
  const latest = days.at(-1);
  return (
    <PageFrame current="stats">
      <h1>{isSimulated ? 'The sandbox in numbers' : 'The x402 ecosystem in numbers'}</h1>
      <p className="mt-3 max-w-2xl text-lg text-ink-soft">
        Statistics of the endpoints in the catalog, by their latest score. Shares, grades and recommendations
        are those of the endpoints that a directory lists. Programs get the same figures as{' '}
        <a href="/trust/stats.json">JSON</a>.
      </p>
      <EcosystemNumbers ecosystem={ecosystem} />
      <Shares ecosystem={ecosystem} latest={latest} />
      <Settled ecosystem={ecosystem} isSimulated={isSimulated} />
      {ecosystem.endpoints === 0 ? (
        <div className="mt-12">
          <EmptyState title="No endpoint is graded yet">
            Grades and recommendations appear here after the first probes.
          </EmptyState>
        </div>
      ) : (
        <div className="mt-12 grid items-start gap-10 lg:grid-cols-2 lg:gap-16">
          <section
            aria-label="Grade distribution"
            className="rounded-sm border border-stone-line bg-stone px-5 py-6 sm:px-8"
          >
            <GradeDistribution
              noun="listed endpoint"
              counts={ecosystem.grades}
              probedUpTo={ecosystem.lastProbedAt}
              toHref={(grade) => toListedUrl({ grades: [grade] })}
            />
          </section>
          <RecommendationCounts
            counts={ecosystem.recommendations}
            toHref={(recommendation) => toListedUrl({ recommendations: [recommendation] })}
          />
        </div>
      )}
      {ecosystem.endpoints === 0 ? null : <History days={days} />}
      {ecosystem.endpoints === 0 || latest === undefined ? null : <FailureCauses day={latest} />}
    </PageFrame>
  );
}

/**
 * Number and share of endpoints with a successful latest probe, and of endpoints with a compliant latest challenge. For
 * the latest recorded day, also the median price and the most frequent network.
 */
function Shares({
  ecosystem: { listed, reachable, compliant, lastProbedAt },
  latest,
}: {
  readonly ecosystem: Ecosystem;
  readonly latest: EcosystemDay | undefined;
}) {
  if (listed === 0) return null;
  const formatCountOf = (count: number, property: ExploreParams['properties'][number]) =>
    lastProbedAt === null ? null : (
      <a href={toListedUrl({ properties: [property] })}>
        {formatCount(count)} ({formatShare(count / listed)})
      </a>
    );
  return (
    <dl className="grid grid-cols-2 gap-x-6 sm:gap-x-8 lg:grid-cols-4">
      <Stat
        label="Reachable"
        value={formatCountOf(reachable, 'reachable')}
        note="listed endpoints whose latest probe succeeded"
        missing="not probed yet"
      />
      <Stat
        label="Compliant"
        value={formatCountOf(compliant, 'compliant')}
        note="listed endpoints whose latest payment challenge has no errors"
        missing="not probed yet"
      />
      {latest === undefined ? null : <Market day={latest} />}
    </dl>
  );
}

/** Median price and most frequent network of listed endpoints. */
function Market({ day: { day, listed, prices, networks } }: { readonly day: EcosystemDay }) {
  const [network] = findFrequentNetworks(networks, 1);
  return (
    <>
      <Stat
        label="Median price"
        value={prices === null ? null : formatUsd(prices.p50)}
        note={
          prices === null
            ? null
            : `per call on ${day}; the middle half of ${formatCount(prices.count)} prices is from ${formatUsd(prices.p25)} to ${formatUsd(prices.p75)}`
        }
        missing="no prices yet"
      />
      <Stat
        label="Most frequent network"
        value={
          network === undefined ? null : (
            <a href={toListedUrl({ networks: [network.id] })} title={toPlainText(network.id)}>
              <bdi>{formatNetwork(network.id)}</bdi>
            </a>
          )
        }
        note={
          network === undefined
            ? null
            : `${formatShare(network.count / listed)} of listed endpoints on ${day}`
        }
        missing="none yet"
      />
    </>
  );
}

/** Returns the URL of the endpoints with the given filters, which are the listed endpoints without a filter by status. */
function toListedUrl(filters: Partial<ExploreParams>): string {
  return toExploreUrl({ ...NO_PARAMS, ...filters });
}

/**
 * Settlements of 30 days to wallets of listed endpoints. Without a measured wallet, for example before the first
 * computation, the figures are unknown.
 */
function Settled({ ecosystem, isSimulated }: Pick<Props, 'ecosystem' | 'isSimulated'>) {
  const { listed, settledVolumeUsd30d: volume, receivers30d: receivers, payers30d: payers } = ecosystem;
  if (listed === 0) return null;
  return (
    <dl className="grid grid-cols-2 gap-x-6 sm:gap-x-8 lg:grid-cols-4">
      <Stat
        label="Settled volume, last 30 days"
        value={volume === null ? null : formatUsd(volume)}
        note={`${isSimulated ? 'simulated payments, ' : ''}in USDC to wallets of listed endpoints, without what was sent back to payers`}
      />
      <Stat
        label="Receivers, last 30 days"
        value={receivers === null ? null : formatCount(receivers)}
        note="payTo addresses with a part of this volume"
      />
      <Stat
        label="Payers, last 30 days"
        value={payers === null ? null : formatCount(payers)}
        note="addresses that paid this volume"
      />
    </dl>
  );
}

/** Number of endpoints, hosts and probes, and the time of the last probe. */
function EcosystemNumbers({ ecosystem }: { readonly ecosystem: Ecosystem }) {
  const { endpoints, listed, delisted, adopted, providers, probes30d, lastProbedAt } = ecosystem;
  return (
    <dl className="mt-4 grid grid-cols-2 gap-x-6 sm:gap-x-8 lg:grid-cols-4">
      <Stat
        label="Endpoints in the catalog"
        value={formatCount(endpoints)}
        note={
          <>
            <a href={toListedUrl({})}>{formatCount(listed)} listed</a>,{' '}
            <a href={toListedUrl({ status: 'delisted' })}>{formatCount(delisted)} delisted</a>
            {adopted === 0 ? '' : `, ${formatCount(adopted)} added by paid reports`}
          </>
        }
      />
      <Stat label="Hosts" value={formatCount(providers)} note="with at least one endpoint" />
      <Stat
        label="Probes, last 30 days"
        value={formatCount(probes30d)}
        note="unpaid requests, about every 30 minutes per endpoint"
      />
      <Stat
        label="Last probe"
        value={lastProbedAt === null ? null : <Timestamp iso={lastProbedAt} />}
        note={lastProbedAt === null ? null : <Age iso={lastProbedAt} />}
        missing="none yet"
      />
    </dl>
  );
}

/** Maximum number of causes that are visible at once. The other causes are in an expandable list. */
const MAX_CAUSES = 10;

/**
 * Causes of the current failures of endpoints, the most frequent cause first. A failure is current if the latest probe
 * failed.
 */
function FailureCauses({ day }: { readonly day: EcosystemDay }) {
  const causes = Object.entries(day.causes).sort(
    ([one, first], [other, second]) => second - first || one.localeCompare(other),
  );
  const failing = causes.reduce((total, [, count]) => total + count, 0);
  const unprobed = day.listed - day.reachable - failing;
  const rare = causes.slice(MAX_CAUSES);
  return (
    <section aria-labelledby="causes" className="mt-16 grid gap-x-10 gap-y-4 lg:grid-cols-[1fr_2fr]">
      <div>
        <h2 id="causes">Causes of failure now</h2>
        <p className="mt-2 max-w-2xl text-ink-soft">
          {failing === 0
            ? 'The latest probe of every probed endpoint succeeded.'
            : `The latest probe of ${formatCount(failing)} of ${formatCount(day.listed)} listed endpoints failed. Each endpoint counts once, with the cause of that probe.`}
          {unprobed === 0
            ? null
            : ` ${formatCount(unprobed, 'listed endpoint')} without a probe: new, or a URL template without example values.`}
        </p>
        <p className="mt-2 text-sm text-ink-soft">
          <Timestamp iso={day.computedAt} />
          {' · '}
          <Age iso={day.computedAt} />
        </p>
      </div>
      {failing === 0 ? null : (
        <div>
          <CauseList causes={causes.slice(0, MAX_CAUSES)} />
          {rare.length === 0 ? null : (
            <details>
              <summary className="w-fit cursor-pointer py-2 hover:text-accent">
                {formatCount(rare.length, 'more cause')}
              </summary>
              <CauseList causes={rare} />
            </details>
          )}
        </div>
      )}
    </section>
  );
}

/** Causes with their effect on the uptime, linked to its explanation, and the number of their endpoints. */
function CauseList({ causes }: { readonly causes: readonly (readonly [cause: string, count: number])[] }) {
  return (
    <ul className="border-b border-line">
      {causes.map(([cause, count]) => {
        const { label, effect, href } = describeCause(cause);
        return (
          <li
            key={cause}
            className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 border-t border-line py-2 sm:grid-cols-[1fr_13rem_7rem]"
          >
            <span className="min-w-0 [overflow-wrap:anywhere]">{label}</span>
            <span className="text-sm text-ink-soft max-sm:order-last">
              {effect === null ? null : <a href={href}>{effect}</a>}
            </span>
            <span className="text-right tabular-nums">{formatCount(count, 'endpoint')}</span>
          </li>
        );
      })}
    </ul>
  );
}
