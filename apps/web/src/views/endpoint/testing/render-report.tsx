import type { EndpointDay, EventEntry, ProviderNotes, PublicDispute, Snapshot } from '@touchstone/store';
import { renderToStaticMarkup } from 'react-dom/server';
import { createTestSnapshot } from '../../../testing/test-snapshot.ts';
import { EndpointReport } from '../endpoint-report.tsx';
import type { SellerOptions } from '../report-offer.tsx';

/** Service without a real network, for tests. */
export const TEST_SELLER: SellerOptions = {
  baseUrl: 'https://touchstone.example',
  network: 'eip155:8453',
  arePaymentsEnabled: true,
};

/** Renders the page of an endpoint. The overrides replace single properties. */
export function renderReport(
  overrides: Partial<Snapshot> = {},
  seller: Partial<SellerOptions> = {},
  {
    days = [],
    events = [],
    notes = null,
    disputes = [],
  }: {
    days?: readonly EndpointDay[];
    events?: readonly EventEntry[];
    notes?: ProviderNotes | null;
    disputes?: readonly PublicDispute[];
  } = {},
): string {
  return renderToStaticMarkup(
    <EndpointReport
      snapshot={createTestSnapshot(overrides)}
      days={days}
      events={events}
      notes={notes}
      disputes={disputes}
      vantage="Test lab"
      seller={{ ...TEST_SELLER, ...seller }}
    />,
  );
}
