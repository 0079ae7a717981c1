import { getSiteOrigin } from '../../../../platform/config/config.ts';
import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { Methodology } from '../../../../views/methodology/methodology.tsx';

/** Same value as `PAGE_LIFETIME_S`, because Next requires a literal here. The page changes only at a restart. */
export const revalidate = 3600;

export const metadata = createPageMetadata({
  title: 'Methodology',
  description:
    'How the trust score of an x402 endpoint is computed: formula, weights, curves, caps, flags, confidence and recommendations, with a playground.',
  path: '/methodology',
  indexed: true,
});

export default function MethodologyPage() {
  return (
    <>
      <Methodology origin={getSiteOrigin(process.env)} />
      <script src="/playground.js" defer />
    </>
  );
}
