import { createPageMetadata } from '../../../../../page-parts/create-page-metadata.ts';
import { Compare } from '../../../../../views/compare/compare.tsx';
import { loadComparison } from '../../../../../views/compare/load-comparison.ts';

interface Props {
  /** Path segment with the parameters of the URL, encoded by `encodePageParams`. */
  readonly params: Promise<{ readonly params: string }>;
}

/** Returns no parameters, so the build renders no page. */
export function generateStaticParams(): { params: string }[] {
  return [];
}

export const metadata = createPageMetadata({
  title: 'Compare x402 endpoints',
  description: 'Recommendation, score, price, uptime and latency of x402 endpoints side by side.',
  path: '/compare',
  indexed: false,
});

export default async function ComparePage({ params }: Props) {
  return <Compare {...await loadComparison((await params).params)} />;
}
