import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getConfig, getSiteOrigin } from '../../../platform/config/config.ts';
import {
  loadProviderPage,
  type ProviderPage,
  createProviderMetadata,
  createProviderJsonLd,
} from '../../../views/provider/provider-page.ts';
import { loadHostClaim } from '../../../serving/page-cache/page-data.ts';
import { parseHost } from '../../../serving/known-pages/page-paths.ts';
import { JsonLd, createCollectionJsonLd } from '../../../page-parts/json-ld.tsx';
import { OwnerSection } from '../../../views/provider/owner-section.tsx';
import { ProviderView } from '../../../views/provider/provider-view.tsx';

interface Props {
  readonly params: Promise<{ readonly host: string }>;
}

/**
 * Returns no hosts, so that the build renders no provider page, because the build has no database. Each page is
 * rendered at its first request.
 */
export function generateStaticParams(): { host: string }[] {
  return [];
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await loadPage(params);
  return page === null ? { title: 'Not found' } : createProviderMetadata(page.provider);
}

export default async function Page({ params }: Props) {
  const page = await loadPage(params);
  if (page === null) notFound();
  const origin = getSiteOrigin(process.env);
  const [first] = page.snapshots;
  return (
    <>
      <ProviderView
        provider={page.provider}
        snapshots={page.snapshots}
        claim={await loadHostClaim(page.provider.host)}
      >
        {first === undefined ? null : (
          <OwnerSection snapshot={first} baseUrl={origin} contact={getConfig().apiContact} />
        )}
      </ProviderView>
      <JsonLd data={createCollectionJsonLd(createProviderJsonLd(page), origin)} />
    </>
  );
}

async function loadPage(params: Props['params']): Promise<ProviderPage | null> {
  const host = parseHost((await params).host);
  return host === null ? null : loadProviderPage(host);
}
