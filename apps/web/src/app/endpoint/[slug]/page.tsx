import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getConfig, getSiteOrigin, readVantage } from '../../../platform/config/config.ts';
import {
  loadEndpointDays,
  loadEndpointDisputes,
  loadEndpointEvents,
  loadEndpointProvider,
  loadSnapshot,
} from '../../../serving/page-cache/page-data.ts';
import { createEndpointMetadata, EndpointReport } from '../../../views/endpoint/endpoint-report.tsx';
import { createOptedOutMetadata, OptedOut } from '../../../views/endpoint/opted-out.tsx';
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
  const { slug } = await params;
  const endpointId = parseEndpointId(slug);
  const snapshot = endpointId === null ? null : await loadSnapshot(endpointId);
  if (snapshot !== null) return createEndpointMetadata(snapshot);
  const optOut = endpointId === null ? null : await loadOptOut(endpointId);
  return optOut === null ? { title: 'Not found' } : createOptedOutMetadata(slug, optOut);
}

export default async function EndpointPage({ params }: Props) {
  const endpointId = parseEndpointId((await params).slug);
  if (endpointId === null) notFound();
  const [snapshot, days, events, disputes] = await Promise.all([
    loadSnapshot(endpointId),
    loadEndpointDays(endpointId),
    loadEndpointEvents(endpointId),
    loadEndpointDisputes(endpointId),
  ]);
  if (snapshot === null) {
    const optOut = await loadOptOut(endpointId);
    if (optOut === null) notFound();
    return <OptedOut {...optOut} events={events} />;
  }
  const provider = await loadEndpointProvider(endpointId, snapshot.host);
  const baseUrl = getSiteOrigin(process.env);
  const { network, payment } = getConfig();
  return (
    <>
      <EndpointReport
        snapshot={snapshot}
        days={days}
        events={events}
        notes={provider?.notes ?? null}
        disputes={disputes}
        vantage={readVantage(process.env)}
        seller={{ baseUrl, network, arePaymentsEnabled: payment !== null }}
      />
      <JsonLd data={createEndpointJsonLd(snapshot, baseUrl)} />
    </>
  );
}

/** Returns the opt-out of an endpoint without a snapshot; null without an opt-out. */
async function loadOptOut(endpointId: string) {
  const provider = await loadEndpointProvider(endpointId, null);
  if (provider === null || provider.optedOutAt === null) return null;
  const { resource, optedOutAt, avoidedOn } = provider;
  return { resource, optedOutAt, avoidedOn };
}
