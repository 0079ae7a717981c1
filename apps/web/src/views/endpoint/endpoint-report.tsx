import { formatGradedScore } from '@touchstone/common';
import {
  type EndpointDay,
  type EventEntry,
  type ProviderNotes,
  type PublicDispute,
  type Snapshot,
  isIndexable,
} from '@touchstone/store';
import { PageFrame, formatGrade, describeRecommendation, toPlainText } from '@touchstone/ui';
import { Breadcrumb } from '../../page-parts/breadcrumb.tsx';
import { formatPath, toProviderPath } from '../../serving/known-pages/page-paths.ts';
import { CopyScript } from '../../page-parts/code-block.tsx';
import { BadgeSection } from './badge-section.tsx';
import { DeliveryLine } from './delivery-line.tsx';
import { Disputes } from './disputes.tsx';
import { EndpointDays } from './endpoint-days.tsx';
import { EndpointFacts } from './endpoint-facts.tsx';
import { EndpointHistory } from './endpoint-history.tsx';
import { PaymentOptions } from './payment-options.tsx';
import { ClaimedLine, ProviderStatements } from './provider-notes.tsx';
import { ReportOffer, type SellerOptions } from './report-offer.tsx';
import { ProviderClaim, ResourceHeading, SubjectLine } from './subject.tsx';
import { UseIt } from './use-it.tsx';
import { VerdictBand } from './verdict-band.tsx';
import type { Metadata } from 'next';
import { createPageMetadata } from '../../page-parts/create-page-metadata.ts';
import { listFeeds } from '../events/event-params.ts';

interface EndpointReportProps {
  readonly snapshot: Snapshot;
  /** Days with probes of the last 30 days, oldest first. */
  readonly days: readonly EndpointDay[];
  /** Newest events of the endpoint. */
  readonly events: readonly EventEntry[];
  /** Announcements of the provider; null if no provider has claimed the host. */
  readonly notes: ProviderNotes | null;
  /** Newest disputes of the verdict. */
  readonly disputes: readonly PublicDispute[];
  /** Location from which latency is measured. */
  readonly vantage: string;
  readonly seller: SellerOptions;
}

/**
 * Summary page of one endpoint: verdict and headline figures. The reasons for the verdict are only in the paid report.
 */
export function EndpointReport({
  snapshot,
  days,
  events,
  disputes,
  notes,
  vantage,
  seller,
}: EndpointReportProps) {
  return (
    <PageFrame>
      <div className="-mt-4 -mb-6 lg:-mt-7 lg:-mb-12">
        <Breadcrumb parents={listParents(snapshot)} current={formatPath(snapshot.resource)} />
        <ResourceHeading snapshot={snapshot} />
        <ProviderClaim snapshot={snapshot} />
        <ClaimedLine claimedSince={notes?.claimedSince} />
        <VerdictBand
          snapshot={snapshot}
          seller={seller}
          days={days}
          events={events}
          notes={notes}
          disputes={disputes}
        />
        <SubjectLine snapshot={snapshot} />
        <EndpointFacts snapshot={snapshot} days={days} vantage={vantage} />
        <DeliveryLine snapshot={snapshot} />
        <EndpointDays snapshot={snapshot} days={days} events={events} notes={notes} />
        <ProviderStatements notes={notes} eventIds={events.map(({ id }) => id)} />
        <EndpointHistory snapshot={snapshot} days={days} vantage={vantage} />
        <div className="gap-x-10 lg:grid lg:grid-cols-[2fr_3fr]">
          <PaymentOptions snapshot={snapshot} />
          <UseIt snapshot={snapshot} baseUrl={seller.baseUrl} />
        </div>
        <div className="gap-x-10 lg:grid lg:grid-cols-2 lg:items-start">
          <ReportOffer snapshot={snapshot} seller={seller} />
          <BadgeSection snapshot={snapshot} baseUrl={seller.baseUrl} />
        </div>
        <Disputes disputes={disputes} snapshot={snapshot} />
      </div>
      <CopyScript />
      {days.length === 0 ? null : <script src="/charts.js" defer />}
    </PageFrame>
  );
}

/**
 * Returns the page of the provider, which is above the page of the endpoint. Without an endpoint in a directory, a host
 * can have no such page.
 */
function listParents({ host, listingSource }: Snapshot) {
  return listingSource === 'adopted' ? [] : [{ href: toProviderPath(host), label: host }];
}

/** Maximum length of the URL of an endpoint in titles and descriptions, in characters. A longer URL is shortened. */
const MAX_URL_LENGTH = 60;
/** Number of characters of a shortened URL before its ellipsis. */
const HEAD_LENGTH = 28;
/** Number of characters of a shortened URL after its ellipsis. */
const TAIL_LENGTH = 14;

/**
 * Creates the metadata of an endpoint page. Search engines must not list ungraded endpoints, URL templates, and
 * endpoints that no directory lists.
 */
export function createEndpointMetadata(snapshot: Snapshot): Metadata {
  const { slug, recommendation } = snapshot;
  const name = formatName(snapshot);
  const { label } = describeRecommendation(recommendation);
  const score = formatGradedScore(snapshot);
  const graded = score === null ? '' : ` ${formatGrade(snapshot.grade)}, trust score ${score} of 100.`;
  return createPageMetadata({
    title: `${label}: ${name} · x402 trust score`,
    description: `${label}: ${name}.${graded} Uptime, latency, price and payment options, measured by Touchstone.`,
    path: `/endpoint/${slug}`,
    indexed: isIndexable(snapshot),
    picture: `/picture/${slug}.png`,
    formats: { 'application/json': `/endpoint/${slug}.json`, ...listFeeds({ endpoint: slug }) },
  });
}

/**
 * Formats the URL of an endpoint so that two endpoints never have the same name: a long URL is shortened in the middle
 * and followed by the endpoint id, and only `https://` is left out.
 */
function formatName({ resource, endpointId }: Snapshot): string {
  const characters = [...toPlainText(resource.replace(/^https:\/\//, ''), Infinity)];
  if (characters.length <= MAX_URL_LENGTH) return characters.join('');
  const [head, tail] = [characters.slice(0, HEAD_LENGTH), characters.slice(-TAIL_LENGTH)];
  return `${head.join('')}…${tail.join('')} (${endpointId})`;
}
