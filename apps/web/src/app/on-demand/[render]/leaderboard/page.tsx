import { LEADERBOARD_SIZE } from '@touchstone/contract';
import type { Metadata } from 'next';
import { getSiteOrigin } from '../../../../platform/config/config.ts';
import { loadLeaderboard } from '../../../../serving/page-cache/page-data.ts';
import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { JsonLd, createCollectionJsonLd } from '../../../../page-parts/json-ld.tsx';
import { Leaderboard } from '../../../../views/leaderboard/leaderboard.tsx';

const PATH = '/trust/leaderboard';
const DESCRIPTION = `The ${String(LEADERBOARD_SIZE)} best measured x402 endpoints: grade, score, uptime, latency, price and network.`;

export const metadata: Metadata = createPageMetadata({
  title: 'Leaderboard of x402 endpoints',
  description: DESCRIPTION,
  path: PATH,
  indexed: true,
  formats: { 'application/json': `${PATH}.json` },
});

export default async function LeaderboardPage() {
  const snapshots = await loadLeaderboard();
  const collection = {
    name: 'Leaderboard of x402 endpoints',
    description: DESCRIPTION,
    breadcrumbs: [{ name: 'Leaderboard', path: PATH }],
    snapshots,
  } as const;
  return (
    <>
      <Leaderboard snapshots={snapshots} />
      <JsonLd data={createCollectionJsonLd(collection, getSiteOrigin(process.env))} />
    </>
  );
}
