import { formatNumber, formatQuantiles, printTable, quantile } from './support/figures.ts';
import { createPageQuestionGroups, type PageQuestionGroup } from './support/explore-questions.ts';
import type { Session } from './support/postgres.ts';
import { MAX_P95_MS, runWithSearchCatalog, type SearchCatalog } from './support/search-catalog.ts';

/**
 * Measures the questions of the explore page, of the pages of hosts and tags, and of the completion of the search field.
 * Run it with `npm run bench:explore`. It takes about five minutes, and two minutes with a kept database (see
 * `runWithSearchCatalog`).
 */
const CALLS = 2;
const SLOWEST_COUNT = 25;

interface MeasuredQuestion {
  readonly name: string;
  /** Figures of the faster call, in milliseconds. */
  readonly cpuMs: number;
  readonly ms: number;
}

async function measureGroup(
  session: Session,
  { questions }: PageQuestionGroup,
): Promise<readonly MeasuredQuestion[]> {
  const measured: MeasuredQuestion[] = [];
  for (const { name, preparation, sql } of questions) {
    await session.run(preparation);
    await session.run(sql);
    const timings = [];
    for (let call = 0; call < CALLS; call += 1) timings.push(await session.time(sql));
    measured.push({
      name,
      cpuMs: Math.min(...timings.map(({ cpuMs }) => cpuMs)),
      ms: Math.min(...timings.map(({ ms }) => ms)),
    });
  }
  return measured;
}

async function measureAll({ endpoints, session }: SearchCatalog): Promise<void> {
  const groups: { name: string; measured: readonly MeasuredQuestion[]; p95: number }[] = [];
  for (const group of createPageQuestionGroups(endpoints)) {
    const measured = await measureGroup(session, group);
    groups.push({
      name: group.name,
      measured,
      p95: quantile(
        measured.map(({ ms }) => ms),
        0.95,
      ),
    });
  }
  groups.sort((one, other) => other.p95 - one.p95);
  console.log(`\np95 at most ${MAX_P95_MS} ms elapsed:`);
  printTable([
    ['', 'questions', 'CPU p50 ms', 'p95', 'elapsed p50 ms', 'p95', 'over the limit'],
    ...groups.map(({ name, measured }) => [
      name,
      formatNumber(measured.length),
      ...(['cpuMs', 'ms'] as const).flatMap((figure) =>
        formatQuantiles(
          measured.map((question) => question[figure]),
          [0.5, 0.95],
        ),
      ),
      formatNumber(measured.filter(({ ms }) => ms > MAX_P95_MS).length),
    ]),
  ]);
  const slowest = groups
    .flatMap(({ measured }) => measured)
    .sort((one, other) => other.cpuMs - one.cpuMs)
    .slice(0, SLOWEST_COUNT);
  console.log(`\nSlowest questions:`);
  printTable([
    ['', 'CPU ms', 'elapsed ms'],
    ...slowest.map(({ name, cpuMs, ms }) => [name, formatNumber(cpuMs, 1), formatNumber(ms, 1)]),
  ]);
}

await runWithSearchCatalog(measureAll);
