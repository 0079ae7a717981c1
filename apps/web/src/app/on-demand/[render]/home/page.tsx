import type { Metadata } from 'next';
import { loadEcosystem, loadLeaderboard } from '../../../../page-cache/page-data.ts';
import { Home } from '../../../../views/home/home.tsx';

export const metadata: Metadata = { alternates: { canonical: '/' } };

export default async function HomePage() {
  const [ecosystem, best] = await Promise.all([loadEcosystem(), loadLeaderboard()]);
  return <Home ecosystem={ecosystem} best={best} />;
}
