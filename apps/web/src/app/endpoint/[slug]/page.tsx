import type { Snapshot } from '@touchstone/store';
import { formatScore, formatGrade } from '@touchstone/ui';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { readVantage, getSiteOrigin } from '../../../config/config.ts';
import { loadSnapshot } from '../../../page-cache/page-data.ts';
import { createEndpointJsonLd } from '../../../seo/json-ld/endpoint-json-ld.ts';
import { JsonLd } from '../../../seo/json-ld/json-ld.tsx';
import { parseEndpointId } from '../../../endpoint/slug.ts';
import { EndpointReport } from '../../../views/endpoint/endpoint-report.tsx';

interface Props {
  readonly params: Promise<{ readonly slug: string }>;
}

/**
 * Returns no slugs, so the build, which has no database, renders no endpoint page. Each page is rendered at its first
 * request.
 */
export function generateStaticParams(): { slug: string }[] {
  return [];
}

/**
 * Creates the page metadata. Search engines are told not to index ungraded endpoints, URL templates, and endpoints that
 * no directory lists.
 */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const snapshot = await loadPageSnapshot(params);
  if (!snapshot) return { title: 'Not found' };
  const { slug, resource, grade, score, templated, listingStatus, listingSource } = snapshot;
  const isListed = listingStatus === 'listed' && listingSource === 'directory';
  const indexed = grade !== '?' && !templated && isListed;
  const name = resource.replace(/^https?:\/\//, '');
  return {
    title: name,
    description: `${formatGrade(grade)}, trust score ${formatScore(score)} of 100: uptime, latency, price and payment options of ${name}, measured by Touchstone.`,
    alternates: {
      canonical: `/endpoint/${slug}`,
      types: { 'application/json': `/endpoint/${slug}.json` },
    },
    ...(indexed ? {} : { robots: { index: false, follow: true } }),
  };
}

export default async function EndpointPage({ params }: Props) {
  const snapshot = await loadPageSnapshot(params);
  if (!snapshot) notFound();
  return (
    <>
      <EndpointReport snapshot={snapshot} vantage={readVantage(process.env)} />
      <JsonLd data={createEndpointJsonLd(snapshot, getSiteOrigin(process.env))} />
    </>
  );
}

async function loadPageSnapshot(params: Props['params']): Promise<Snapshot | null> {
  const endpointId = parseEndpointId((await params).slug);
  return endpointId === null ? null : loadSnapshot(endpointId);
}
