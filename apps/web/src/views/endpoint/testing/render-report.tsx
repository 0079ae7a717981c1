import type { EventEntry, Snapshot } from '@touchstone/store';
import { renderToStaticMarkup } from 'react-dom/server';
import { createTestSnapshot } from '../../../testing/test-snapshot.ts';
import { EndpointReport } from '../endpoint-report.tsx';
import type { SellerOptions } from '../report-offer.tsx';

/** Renders the page of an endpoint without daily figures. The overrides replace single properties. */
export function renderReport(
  overrides: Partial<Snapshot> = {},
  seller: Partial<SellerOptions> = {},
  events: readonly EventEntry[] = [],
): string {
  return renderToStaticMarkup(
    <EndpointReport
      snapshot={createTestSnapshot(overrides)}
      days={[]}
      events={events}
      vantage="Test lab"
      seller={{
        baseUrl: 'https://touchstone.example',
        network: 'eip155:8453',
        arePaymentsEnabled: true,
        ...seller,
      }}
    />,
  );
}
