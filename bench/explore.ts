import { MissingSoftwareError } from './support/binaries.ts';
import { createQueries, readPositions, type Query } from './support/explore/queries.ts';
import { loadExplorable } from './support/explore/load.ts';
import { formatNumber, median, printTable, quantile } from './support/figures.ts';
import { startPostgres, type Postgres } from './support/postgres.ts';
import type { Session } from './support/psql.ts';
import { generateEndpoints, generateQueries } from './support/search/catalog.ts';

/**
 * Measures the SQL functions of the explore page, its suggestions and the provider page on PostgreSQL. The CPU time
 * is also a ratio to a read of one snapshot by its key in the same run. Run it with `npm run bench:explore`.
 *
 * It needs the same programs as `npm run bench:search`. `BENCH_ENDPOINTS` sets another number of endpoints.
 */
const ENDPOINT_COUNT = Number(process.env['BENCH_ENDPOINTS'] ?? 100_000);
/** Minimum number of calls per query. */
const CALL_COUNT = 105;
const QUERY_COUNT = 100;

interface Timing {
  readonly name: string;
  readonly ms: readonly number[];
  readonly cpuMs: readonly number[];
}

async function measure(session: Session, { name, statements }: Query): Promise<Timing> {
  for (const statement of statements.slice(0, 10)) await session.run(statement);
  const ms: number[] = [];
  const cpuMs: number[] = [];
  while (ms.length < CALL_COUNT) {
    for (const statement of statements) {
      const timed = await session.time(statement);
      ms.push(timed.ms);
      cpuMs.push(timed.cpuMs);
    }
  }
  return { name, ms, cpuMs };
}

function formatTiming({ name, ms, cpuMs }: Timing, read: Timing): readonly string[] {
  return [
    name,
    ...[0.5, 0.95].map((share) => formatNumber(quantile(ms, share), 1)),
    ...[0.5, 0.95].map((share) => formatNumber(quantile(cpuMs, share), 1)),
    formatNumber(median(cpuMs) / median(read.cpuMs), 0),
  ];
}

async function measurePostgres(postgres: Postgres): Promise<void> {
  const endpoints = generateEndpoints(ENDPOINT_COUNT);
  const session = postgres.session();
  await loadExplorable(session, endpoints);
  console.log(
    `PostgreSQL ${postgres.version}: ${formatNumber(endpoints.length)} generated endpoints. Ratio: median of the CPU ` +
      'time to that of a read of one snapshot by its key.',
  );
  const read = await measure(session, {
    name: 'one snapshot by its key',
    statements: endpoints
      .slice(0, CALL_COUNT)
      .map(
        ({ id }) => `select length(to_jsonb(s)::text) from public.snapshots s where endpoint_id = '${id}'`,
      ),
  });
  const rows = [formatTiming(read, read)];
  const positions = await readPositions(session);
  for (const query of createQueries(endpoints, generateQueries(QUERY_COUNT), positions))
    rows.push(formatTiming(await measure(session, query), read));
  printTable([['query', 'p50 ms', 'p95 ms', 'CPU p50 ms', 'CPU p95 ms', 'ratio'], ...rows]);
  await session.close();
}

async function main(): Promise<void> {
  const postgres = await startPostgres();
  try {
    await measurePostgres(postgres);
  } finally {
    await postgres.stop();
  }
}

await main().catch((error: unknown) => {
  if (!(error instanceof MissingSoftwareError)) throw error;
  console.log(`Skipped. ${error.message}`);
});
