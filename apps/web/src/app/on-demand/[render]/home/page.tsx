import type { Metadata } from 'next';
import { ecosystem, leaderboard } from '../../../../data.ts';
import { Home } from '../../../../views/home.tsx';

export const metadata: Metadata = { alternates: { canonical: '/' } };

export default async function HomePage() {
  const [numbers, best] = await Promise.all([ecosystem(), leaderboard()]);
  return <Home ecosystem={numbers} best={best} />;
}
