import type { Snapshot } from '@touchstone/store';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getConfig, getSiteOrigin, readVantage } from '../../../platform/config/config.ts';
import { loadEndpointDays, loadEndpointEvents, loadSnapshot } from '../../../serving/page-cache/page-data.ts';
import { createEndpointMetadata, EndpointReport } from '../../../views/endpoint/endpoint-report.tsx';
import { JsonLd, createEndpointJsonLd } from '../../../page-parts/json-ld.tsx';
import { parseEndpointId } from '../../../serving/known-pages/page-paths.ts';

interface Props {
  readonly params: Promise<{ readonly slug: string }>;
}

/**
 * Returns no slugs, so that the build renders no endpoint page, because the build has no database. Each page is
 * rendered at its first request.
 */
export function generateStaticParams(): { slug: string }[] {
  return [];
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const snapshot = await loadPageSnapshot(params);
  return snapshot === null ? { title: 'Not found' } : createEndpointMetadata(snapshot);
}

export default async function EndpointPage({ params }: Props) {
  const endpointId = parseEndpointId((await params).slug);
  if (endpointId === null) notFound();
  const [snapshot, days, events] = await Promise.all([
    loadSnapshot(endpointId),
    loadEndpointDays(endpointId),
    loadEndpointEvents(endpointId),
  ]);
  if (!snapshot) notFound();
  const baseUrl = getSiteOrigin(process.env);
  const { network, payment } = getConfig();
  return (
    <>
      <EndpointReport
        snapshot={snapshot}
        days={days}
        events={events}
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
