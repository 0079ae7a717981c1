import type { EndpointDay, Snapshot } from '@touchstone/store';
import { PageFrame } from '@touchstone/ui';
import { CopyScript } from '../../page-parts/code-block.tsx';
import { BadgeSection } from './badge-section.tsx';
import { EndpointDays } from './endpoint-days.tsx';
import { EndpointFigures } from './figures/endpoint-figures.tsx';
import { PayOnLines } from './figures/pay-on-lines.tsx';
import { GuardOffer, MoreOffers } from './offers/more-offers.tsx';
import { ReportOffer, type SellerOptions } from './offers/report-offer.tsx';
import { Breadcrumb, EndpointNotices, ProviderClaim, ResourceHeading } from './subject.tsx';
import { EndpointVerdict } from './endpoint-verdict.tsx';

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
