import type { Metadata } from 'next';
import { config, siteOrigin } from '../../../../config.ts';
import { sampleResource } from '../../../../sample-resource.ts';
import { Docs } from '../../../../views/docs/docs.tsx';

export const metadata: Metadata = {
  title: 'API reference',
  description:
    'The HTTP API of Touchstone: trust reports and histories of x402 endpoints, paid by the call in USDC, with examples in curl, TypeScript and Python.',
  alternates: { canonical: '/docs' },
};

export default async function DocsPage() {
  // The examples ask about an endpoint that this service really knows, so that they run as they stand.
  const resource = await sampleResource();
  return (
    <Docs
      baseUrl={siteOrigin(process.env)}
      network={config().network}
      {...(resource === undefined ? {} : { resource })}
    />
  );
}
