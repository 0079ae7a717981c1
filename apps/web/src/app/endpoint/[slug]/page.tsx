import type { Snapshot } from '@touchstone/store';
import { formatScore, formatGrade } from '@touchstone/ui';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { readVantage, siteOrigin } from '../../../config.ts';
import { endpointSnapshot } from '../../../data.ts';
import { endpointJsonLd } from '../../../endpoint-json-ld.ts';
import { JsonLd } from '../../../json-ld.tsx';
import { endpointIdOf } from '../../../slug.ts';
import { EndpointReport } from '../../../views/endpoint-report.tsx';

interface Props {
  readonly params: Promise<{ readonly slug: string }>;
}

/** Each page is rendered at its first request; the build knows none. */
export function generateStaticParams(): { slug: string }[] {
  return [];
}

/** Pages without much to say to a searcher stay out of search results: ungraded, templated and delisted endpoints. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const snapshot = await findSnapshot(params);
  if (!snapshot) return { title: 'Not found' };
  const { slug, resource, grade, score, templated, listingStatus } = snapshot;
  const indexed = grade !== '?' && !templated && listingStatus === 'listed';
  const name = resource.replace(/^https?:\/\//, '');
  return {
    title: name,
    description: `${formatGrade(grade)}, trust score ${formatScore(score)} of 100: uptime, latency, price and payment options of ${name}, measured by Touchstone.`,
    alternates: { canonical: `/endpoint/${slug}` },
    ...(indexed ? {} : { robots: { index: false, follow: true } }),
  };
}

export default async function EndpointPage({ params }: Props) {
  const snapshot = await findSnapshot(params);
  if (!snapshot) notFound();
  return (
    <>
      <EndpointReport snapshot={snapshot} vantage={readVantage(process.env)} />
      <JsonLd data={endpointJsonLd(snapshot, siteOrigin(process.env))} />
    </>
  );
}

async function findSnapshot(params: Props['params']): Promise<Snapshot | null> {
  const endpointId = endpointIdOf((await params).slug);
  return endpointId === null ? null : endpointSnapshot(endpointId);
}
