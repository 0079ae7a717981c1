import type { EndpointDay, Snapshot } from '@touchstone/store';
import { formatScore, formatGrade } from '@touchstone/ui';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getConfig, getSiteOrigin, readVantage } from '../../../config/config.ts';
import { loadEndpointDays, loadSnapshot } from '../../../page-cache/page-data.ts';
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
  const [snapshot, days] = await Promise.all([loadPageSnapshot(params), loadPageDays(params)]);
  if (!snapshot) notFound();
  const baseUrl = getSiteOrigin(process.env);
  const { network, payment } = getConfig();
  return (
    <>
      <EndpointReport
        snapshot={snapshot}
        days={days}
        vantage={readVantage(process.env)}
        seller={{ baseUrl, network, arePaymentsEnabled: payment !== null }}
      />
      <JsonLd data={createEndpointJsonLd(snapshot, baseUrl)} />
    </>
  );
}

async function loadPageSnapshot(params: Props['params']): Promise<Snapshot | null> {
  const endpointId = parseEndpointId((await params).slug);
  return endpointId === null ? null : loadSnapshot(endpointId);
}

async function loadPageDays(params: Props['params']): Promise<readonly EndpointDay[]> {
  const endpointId = parseEndpointId((await params).slug);
  return endpointId === null ? [] : loadEndpointDays(endpointId);
}
