import {
  formatCount,
  formatDay,
  formatGradedScore,
  formatInPeriod,
  formatPercent,
  formatPeriod,
  formatUsdRange,
  PERIOD_DAYS,
} from '@touchstone/common';
import type { HostClaim, Provider } from '@touchstone/store';
import {
  Age,
  fillDays,
  formatGrade,
  formatNetwork,
  GradeDistribution,
  PageFrame,
  Stat,
  Timestamp,
  UptimeStrip,
} from '@touchstone/ui';
import type { ReactNode } from 'react';
import { ComparableList } from '../../page-parts/comparable-list.tsx';
import { RecommendationCounts } from '../../page-parts/list-parts.tsx';
import { Breadcrumb } from '../../page-parts/breadcrumb.tsx';
import { toEventsUrl } from '../events/event-params.ts';
import { ClaimedLine, ProviderWords } from '../endpoint/provider-notes.tsx';
import type { ProviderPage } from './provider-page.ts';
import { NO_PARAMS, toExploreUrl } from '../../interactive/explore/explore-params.ts';

/**
 * Page of a host: the endpoints with the best scores, and figures of all its endpoints.
 *
 * @param props.claim Active claim of the host; null without a claim.
 * @param props.children Sections after the endpoints.
 */
export function ProviderView({
  provider,
  snapshots,
  claim,
  children,
}: ProviderPage & { readonly claim: HostClaim | null; readonly children?: ReactNode }) {
  return (
    <PageFrame>
      <Breadcrumb parents={[]} current={provider.host} />
      <h1 className="mt-3 [overflow-wrap:anywhere]">
        <bdi>{provider.host}</bdi>
      </h1>
      <ClaimedLine claimedSince={claim?.claimedSince} />
      <SecurityContact contact={claim?.contact ?? null} />
      <p className="mt-3 max-w-3xl text-lg">
        {summarizeVerdicts(provider, snapshots)}{' '}
        <span className="text-ink-soft">Several providers can share a host.</span>
      </p>
      <ProviderEndpoints provider={provider} snapshots={snapshots} />
      <ProviderDays provider={provider} />
      <ProviderFigures provider={provider} />
      {provider.endpoints < MIN_DISTRIBUTION_ENDPOINTS ? null : <Distributions provider={provider} />}
      {children}
    </PageFrame>
  );
}

/** Contact for security reports in the words of the provider, without a link. Shows nothing without a contact. */
function SecurityContact({ contact }: { readonly contact: string | null }) {
  if (contact === null) return null;
  return (
    <p className="mt-1 text-sm text-ink-soft">
      Contact for security reports, as stated by the provider: <ProviderWords text={contact} />
    </p>
  );
}

/** Minimum number of endpoints for the distributions of grades and recommendations. The list shows fewer at a glance. */
const MIN_DISTRIBUTION_ENDPOINTS = 10;

/** Returns the number of endpoints that may be paid, and the best score, as a sentence. */
function summarizeVerdicts(
  { endpoints, recommendations }: Provider,
  snapshots: ProviderPage['snapshots'],
): string {
  const proceed = recommendations.proceed === 0 ? 'None' : formatCount(recommendations.proceed);
  const have = recommendations.proceed > 1 ? 'have' : 'has';
  const [best] = snapshots;
  const score = best === undefined ? null : formatGradedScore(best);
  const known = score === null ? '' : `; best score ${score} (${formatGrade(best?.grade ?? '?')})`;
  return `${proceed} of ${formatCount(endpoints, 'endpoint')} ${have} the recommendation Proceed${known}.`;
}

/** Number of endpoints of a host by grade and by recommendation. */
function Distributions({ provider: { host, grades, recommendations } }: { readonly provider: Provider }) {
  return (
    <div className="mt-10 grid items-start gap-x-16 gap-y-10 lg:grid-cols-[1.25fr_1fr]">
      <section
        aria-label="Grade distribution"
        className="rounded-sm border border-stone-line bg-stone px-5 py-6 sm:px-8"
      >
        <GradeDistribution
          noun="endpoint"
          counts={grades}
          probedUpTo={null}
          toHref={(grade) => toExploreUrl({ ...NO_PARAMS, host, grades: [grade] })}
        />
      </section>
      <RecommendationCounts
        counts={recommendations}
        toHref={(recommendation) => toExploreUrl({ ...NO_PARAMS, host, recommendations: [recommendation] })}
      />
    </div>
  );
}

/** Uptime of each of the last 30 UTC days, over the scored probes of the endpoints of a host. */
function ProviderDays({ provider: { days, computedAt } }: { readonly provider: Provider }) {
  if (days.length === 0) return null;
  return (
    <section aria-labelledby="days" className="mt-10">
      <h2 id="days">Uptime {formatInPeriod(formatPeriod(days[0]?.day, computedAt))}</h2>
      <UptimeStrip
        className="mt-3"
        days={fillDays(days, computedAt, PERIOD_DAYS).map(({ day, value }) => ({
          day,
          uptime: value === null ? null : (100 * value.up) / value.scored,
          probes: value?.scored ?? 0,
        }))}
      />
      <script src="/charts.js" defer />
    </section>
  );
}

/** Maximum number of networks that are named. Further networks are only counted. */
const MAX_NETWORKS = 4;

/** Number, uptime, failures, prices and networks of the endpoints of a host. */
function ProviderFigures({ provider }: { readonly provider: Provider }) {
  const { endpoints, listed, sampled, uptime30d, failing, firstSeen, computedAt } = provider;
  const networks = formatNetworks(provider.networks);
  return (
    <dl className="mt-8 grid grid-cols-2 gap-x-6 sm:gap-x-8 lg:grid-cols-4">
      <Stat
        label="Endpoints"
        value={formatCount(endpoints)}
        note={
          listed === endpoints
            ? 'listed'
            : `${formatCount(listed)} listed, ${formatCount(endpoints - listed)} not listed`
        }
      />
      <Stat
        label={`Uptime, ${formatPeriod(provider.days[0]?.day, computedAt)}`}
        value={uptime30d === null ? null : formatPercent(uptime30d / 100)}
        note={
          sampled < endpoints
            ? `of the scored probes of ${formatCount(sampled)} endpoints, selected at random`
            : 'of the scored probes of all endpoints'
        }
      />
      <Stat
        label="Failing now"
        value={formatCount(failing)}
        note={`of ${formatCount(endpoints)}, by the latest probe`}
      />
      <Stat
        label="Price per call"
        value={formatUsdRange(provider.lowestPriceUsd, provider.highestPriceUsd)}
        note="in USDC, as advertised"
        missing="not advertised"
      />
      <Stat label="Networks" value={networks} missing="not advertised" />
      <Stat label="First seen" value={formatDay(firstSeen)} note="the oldest endpoint" />
      <Stat
        label="Newest score computed"
        value={<Timestamp iso={computedAt} />}
        note={<Age iso={computedAt} />}
      />
    </dl>
  );
}

function formatNetworks(networks: readonly string[]): string | null {
  if (networks.length === 0) return null;
  const names = networks.slice(0, MAX_NETWORKS).map(formatNetwork);
  const rest = networks.length - names.length;
  return rest === 0 ? names.join(', ') : `${names.join(', ')} and ${rest} more`;
}

/** Endpoints of a host with the best scores, and a link to the other endpoints. */
function ProviderEndpoints({ provider: { host, endpoints }, snapshots }: ProviderPage) {
  const rest = endpoints - snapshots.length;
  const url = toExploreUrl({ ...NO_PARAMS, host, status: null });
  return (
    <section aria-labelledby="endpoints" className="mt-8">
      <h2 id="endpoints">{rest > 0 ? `The ${formatCount(snapshots.length)} best endpoints` : 'Endpoints'}</h2>
      <p className="mt-1 text-sm text-ink-soft">
        Listed endpoints first, by the lower bound of the score range. Names are unverified claims of the
        providers.
      </p>
      <div className="mt-4">
        <ComparableList endpoints={snapshots} sortedBy="score" hasOneHost />
      </div>
      <p className="mt-4">
        <a href={url}>
          {rest > 0 ? `Explore all ${formatCount(endpoints)} endpoints` : 'Filter and sort these endpoints'}
        </a>
        {' · '}
        <a href={toEventsUrl({ host })} rel="nofollow">
          Events of this host
        </a>
      </p>
    </section>
  );
}
