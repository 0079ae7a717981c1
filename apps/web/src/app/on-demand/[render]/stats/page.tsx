import type { Metadata } from 'next';
import { loadEcosystem } from '../../../../page-cache/page-data.ts';
import { Statistics } from '../../../../views/statistics/statistics.tsx';

export const metadata: Metadata = {
  title: 'Statistics',
  description: 'The x402 ecosystem in numbers: endpoints, providers, grades, recommendations and probes.',
  alternates: { canonical: '/trust/stats', types: { 'application/json': '/trust/stats' } },
};

export default async function StatisticsPage() {
  return <Statistics ecosystem={await loadEcosystem()} />;
}
