import type { Metadata } from 'next';
import { loadEcosystem } from '../../../../page-cache/page-data.ts';
import { Statistics } from '../../../../views/statistics/statistics.tsx';

export const metadata: Metadata = {
  title: 'Statistics',
  description: 'Statistics of the x402 ecosystem: endpoints, providers, grades, recommendations and probes.',
  alternates: { canonical: '/trust/stats', types: { 'application/json': '/trust/stats' } },
};

export default async function StatisticsPage() {
  return <Statistics ecosystem={await loadEcosystem()} />;
}
