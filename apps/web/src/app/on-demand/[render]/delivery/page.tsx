import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { isSandbox } from '../../../../platform/config/config.ts';
import { loadDeliveryLedger } from '../../../../serving/page-cache/load-delivery-ledger.ts';
import { Delivery } from '../../../../views/delivery/delivery.tsx';

/** Same value as `PAGE_LIFETIME_S`, because Next requires a literal here. */
export const revalidate = 3600;

export const metadata = createPageMetadata({
  title: 'Test purchases of x402 endpoints',
  description:
    'What x402 endpoints delivered for money: every test purchase of Touchstone with its price, outcome, transaction and signed record, and the method.',
  path: '/delivery',
  indexed: true,
  formats: { 'application/json': '/delivery.json' },
});

export default async function DeliveryPage() {
  return <Delivery ledger={await loadDeliveryLedger()} isSimulated={isSandbox(process.env)} />;
}
