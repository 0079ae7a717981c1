import { formatConfidence, formatGradedScore, formatUptime, formatUsd } from '@touchstone/common';
import { GradeMark, RecommendationChip, ResourceText } from '@touchstone/ui';
import { getNetworkName } from '@touchstone/x402/networks';
import type { ReactNode } from 'react';
import type { EndpointMatch } from '../endpoint-match.ts';

/** Id of the list of endpoints. */
export const MATCH_LIST_ID = 'match-list';

/** Endpoints that match a search query, each with its verdict and headline figures. */
export function MatchList({ matches }: { readonly matches: readonly EndpointMatch[] }) {
  return (
    <ol id={MATCH_LIST_ID} className="mt-6 border-b border-line">
      {matches.map((match) => (
        <li
          key={match.slug}
          className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-3 border-t border-line py-5 lg:grid-cols-[auto_1fr_auto] lg:gap-x-8"
        >
          <GradeMark grade={match.grade} className="h-14 w-12" />
          <Description match={match} />
          <Facts match={match} />
        </li>
      ))}
    </ol>
  );
}

function Description({ match: { slug, resource, serviceName, description } }: Props) {
  return (
    <div className="min-w-0">
      <h2 className="text-sm leading-snug font-medium">
        <a href={`/endpoint/${slug}`}>
          <ResourceText resource={resource.replace(/^https:\/\//, '')} />
        </a>
      </h2>
      {serviceName ? (
        <p className="mt-1 [overflow-wrap:anywhere]">
          <bdi>{serviceName}</bdi>
        </p>
      ) : null}
      {description ? (
        <p className="mt-1 line-clamp-3 text-sm text-ink-soft [overflow-wrap:anywhere] lg:line-clamp-2">
          <bdi>{description}</bdi>
        </p>
      ) : null}
    </div>
  );
}

function Facts({ match }: Props) {
  const { grade, recommendation, confidence } = match;
  return (
    <div className="col-span-2 lg:col-span-1 lg:w-[25rem]">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <RecommendationChip recommendation={recommendation} />
        {grade === '?' ? null : (
          <span className="text-sm text-ink-soft">Confidence {formatConfidence(confidence)}</span>
        )}
        <Listing match={match} />
      </p>
      <dl className="mt-2 grid grid-cols-[3rem_6.25rem_1fr] gap-x-4 text-sm tabular-nums">
        <Fact term="Score">{formatGradedScore(match) ?? 'none'}</Fact>
        <Fact term="Uptime">{formatUptime(match) ?? 'not measured'}</Fact>
        <Fact term="Price">
          <Price match={match} />
        </Fact>
      </dl>
    </div>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-soft">{term}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function Price({ match: { amountUsd, network, templated } }: Props) {
  if (amountUsd === null) return network === null ? 'not advertised' : 'not in US dollars';
  return (
    <>
      {formatUsd(amountUsd)}
      {templated ? ' per item' : ''}
      {network === null ? null : (
        <span className="text-ink-soft"> on {getNetworkName(network) ?? <bdi>{network}</bdi>}</span>
      )}
    </>
  );
}

function Listing({ match: { listingSource, listingStatus } }: Props) {
  if (listingSource === 'adopted') return <span className="text-sm text-ink-soft">Not listed</span>;
  return listingStatus === 'delisted' ? <span className="text-sm text-ink-soft">Delisted</span> : null;
}

interface Props {
  readonly match: EndpointMatch;
}
