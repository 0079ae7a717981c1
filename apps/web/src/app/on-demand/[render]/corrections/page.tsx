import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { loadCorrections } from '../../../../serving/page-cache/page-data.ts';
import { Corrections } from '../../../../views/corrections/corrections.tsx';

/** Same value as `PAGE_LIFETIME_S`, because Next requires a literal here. */
export const revalidate = 3600;

export const metadata = createPageMetadata({
  title: 'Corrections',
  description: 'Disputed verdicts with the answers of the operator, and errors that the operator corrected.',
  path: '/corrections',
  indexed: true,
  formats: { 'application/json': '/corrections.json' },
});

export default async function CorrectionsPage() {
  return <Corrections corrections={await loadCorrections()} />;
}
