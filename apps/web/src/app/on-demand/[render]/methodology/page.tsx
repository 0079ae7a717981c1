import type { Metadata } from 'next';
import { getSiteOrigin } from '../../../../config/config.ts';
import { Methodology } from '../../../../views/methodology/methodology.tsx';

/** As long as every page; see page-lifetime.ts. What it says only changes with a release, its notice with a restart. */
export const revalidate = 3600;

export const metadata: Metadata = {
  title: 'Methodology',
  description:
    'How the trust score of an x402 endpoint is computed: formula, weights, curves, caps, flags, confidence and recommendations, and a playground to try them.',
  alternates: { canonical: '/methodology' },
};

export default function MethodologyPage() {
  return (
    <>
      <Methodology origin={getSiteOrigin(process.env)} />
      <script src="/playground.js" defer />
    </>
  );
}
