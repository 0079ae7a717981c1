import { getSiteOrigin } from '../../../../../platform/config/config.ts';
import { createPageMetadata } from '../../../../../page-parts/create-page-metadata.ts';
import { CheckPage } from '../../../../../views/check/check-page.tsx';
import { loadCheck } from '../../../../../views/check/load-check.ts';

interface Props {
  /** Path segment with the parameters of the URL, encoded by `encodePageParams`. */
  readonly params: Promise<{ readonly params: string }>;
}

/** Returns no parameters, so the build renders no page. */
export function generateStaticParams(): { params: string }[] {
  return [];
}

export const metadata = createPageMetadata({
  title: 'Check of an x402 endpoint',
  description: 'What the clients of agents do at one x402 endpoint, and how its seller repairs it.',
  path: '/check',
  indexed: false,
});

export default async function CheckResultPage({ params }: Props) {
  const data = await loadCheck((await params).params);
  return <CheckPage data={data} baseUrl={getSiteOrigin(process.env)} now={Date.now()} />;
}
