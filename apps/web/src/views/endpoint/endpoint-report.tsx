import type { EndpointDay, Snapshot } from '@touchstone/store';
import { PageFrame } from '@touchstone/ui';
import { CopyScript } from '../shared/code-block.tsx';
import { BadgeSection } from './badge/badge-section.tsx';
import { EndpointDays } from './days/endpoint-days.tsx';
import { EndpointFigures } from './figures/endpoint-figures.tsx';
import { PayOnLines } from './figures/pay-on-lines.tsx';
import { GuardOffer } from './offers/guard-offer.tsx';
import { MoreOffers } from './offers/more-offers.tsx';
import { ReportOffer } from './offers/report-offer.tsx';
import type { SellerOptions } from './offers/seller-options.ts';
import { Breadcrumb } from './subject/breadcrumb.tsx';
import { EndpointNotices } from './subject/endpoint-notices.tsx';
import { ProviderClaim } from './subject/provider-claim.tsx';
import { ResourceHeading } from './subject/resource-heading.tsx';
import { EndpointVerdict } from './verdict/endpoint-verdict.tsx';

interface EndpointReportProps {
  readonly snapshot: Snapshot;
  /** Days with probes of the last 30 days, oldest first. */
  readonly days: readonly EndpointDay[];
  /** Location from which latency is measured. */
  readonly vantage: string;
  readonly seller: SellerOptions;
}

/**
 * Summary page of one endpoint: verdict and headline figures. The reasons for the verdict are only in the paid report.
 */
export function EndpointReport({ snapshot, days, vantage, seller }: EndpointReportProps) {
  return (
    <PageFrame>
      <Breadcrumb snapshot={snapshot} />
      <ResourceHeading snapshot={snapshot} />
      <EndpointNotices snapshot={snapshot} />
      <EndpointVerdict snapshot={snapshot} />
      <EndpointDays snapshot={snapshot} days={days} vantage={vantage} />
      <EndpointFigures snapshot={snapshot} vantage={vantage} />
      <PayOnLines payOn={snapshot.payOn} />
      <ProviderClaim snapshot={snapshot} />
      <GuardOffer snapshot={snapshot} baseUrl={seller.baseUrl} />
      <ReportOffer snapshot={snapshot} seller={seller} />
      <MoreOffers snapshot={snapshot} />
      <BadgeSection snapshot={snapshot} baseUrl={seller.baseUrl} />
      <CopyScript />
    </PageFrame>
  );
}
