import { EMBEDDING_MODEL } from '@touchstone/search';
import { formatNumber, median, printTable } from '../figures.ts';
import type { Session } from '../psql.ts';
import { formatVector, type Vector } from './vectors.ts';

/** Numbers of texts for which an exact search is compared with the HNSW index. */
const TEXT_COUNTS = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000];
/** Numbers of texts of the first and the second step of a search with 25 results. */
const STEPS = [100, 400] as const;

/**
 * Compares the two functions that return the nearest texts, by number of texts. The other texts are deleted in a
 * transaction that is rolled back, and the index is built again. Parallel scans are off, because the CPU time of their
 * workers is not measured.
 */
export async function compareExactSearch(session: Session, vectors: readonly Vector[]): Promise<void> {
  const stored = Number(await session.run('select count(*) from public.search_texts'));
  const definition = await session.run(
    `select indexdef from pg_indexes where indexname = 'search_texts_embedding'`,
  );
  const rows = [['Texts', ...STEPS.flatMap((step) => [`exact ${step}`, `HNSW ${step}`, 'exact / HNSW'])]];
  for (const count of [...TEXT_COUNTS.filter((each) => each < stored), stored]) {
    await session.run('begin; set local max_parallel_workers_per_gather = 0');
    if (count < stored)
      await session.run(`
        create temp table kept on commit drop as
          select * from public.search_texts where model is not null order by md5(text_hash) limit ${count};
        drop index public.search_texts_embedding;
        truncate public.search_texts;
        insert into public.search_texts select * from kept;
        ${definition};
        analyze public.search_texts`);
    const cells: string[] = [];
    for (const step of STEPS) {
      const exact = await measureNearest(
        session,
        vectors,
        `nearest_texts_exact(p_min_similarity => -1, p_only => null, p_limit => ${step},`,
      );
      const index = await measureNearest(session, vectors, `nearest_texts_by_index(p_limit => ${step},`);
      cells.push(formatNumber(exact, 1), formatNumber(index, 1), formatNumber(exact / index, 2));
    }
    await session.run('rollback');
    rows.push([formatNumber(count), ...cells]);
  }
  console.log(`\nNearest 100 and 400 texts by number of texts, median CPU ms of ${vectors.length} queries:`);
  printTable(rows);
}

/** Returns the median CPU time of a function, in milliseconds. */
async function measureNearest(session: Session, vectors: readonly Vector[], call: string): Promise<number> {
  const cpuMs: number[] = [];
  for (const vector of vectors) {
    const sql = `
      select count(*) from internal.${call} p_model => '${EMBEDDING_MODEL}', p_embedding => '${formatVector(vector)}')`;
    cpuMs.push((await session.time(sql)).cpuMs);
  }
  return median(cpuMs);
}
