import { loadEcosystem, loadEcosystemDays } from '../../../../serving/page-cache/page-data.ts';
import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { JsonLd, createDatasetJsonLd } from '../../../../page-parts/json-ld.tsx';
import { getSiteOrigin, isSandbox } from '../../../../platform/config/config.ts';
import { HISTORY_DAYS } from '../../../../views/statistics/history.tsx';
import { Statistics } from '../../../../views/statistics/statistics.tsx';

const PATH = '/trust/stats';
const DESCRIPTION =
  'The x402 ecosystem in numbers: endpoints, hosts, grades, recommendations, prices, networks and causes of failures, today and over 30 days.';

export const metadata = createPageMetadata({
  title: 'Statistics',
  description: DESCRIPTION,
  path: PATH,
  indexed: true,
  formats: { 'application/json': `${PATH}.json` },
});

export default async function StatisticsPage() {
  const [ecosystem, days] = await Promise.all([loadEcosystem(), loadEcosystemDays(HISTORY_DAYS)]);
  const [first] = days;
  const last = days.at(-1);
  const dataset = createDatasetJsonLd(
    {
      name: 'The x402 ecosystem in numbers',
      description: DESCRIPTION,
      path: PATH,
      pageName: 'Statistics',
      modifiedAt: last?.computedAt ?? ecosystem.lastProbedAt,
      days: first === undefined || last === undefined ? null : { first: first.day, last: last.day },
    },
    getSiteOrigin(process.env),
  );
  return (
    <>
      <JsonLd data={dataset} />
      <Statistics ecosystem={ecosystem} days={days} isSimulated={isSandbox(process.env)} />
    </>
  );
}
