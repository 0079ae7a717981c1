import type { Metadata } from 'next';
import { loadLeaderboard } from '../../../../page-cache/page-data.ts';
import { Leaderboard } from '../../../../views/leaderboard/leaderboard.tsx';

export const metadata: Metadata = {
  title: 'Leaderboard',
  description:
    'The 25 x402 endpoints with the best trust scores: grade, score, uptime, latency, price and network.',
  alternates: { canonical: '/trust/leaderboard', types: { 'application/json': '/trust/leaderboard' } },
};

export default async function LeaderboardPage() {
  return <Leaderboard snapshots={await loadLeaderboard()} />;
}
