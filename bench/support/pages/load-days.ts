import type { GeneratedEndpoint } from '../search/catalog.ts';
import { SCORED_AT, type RunSql } from '../search/load.ts';

/** Stores daily figures of 30 UTC days for each endpoint. Endpoint pages show them as charts. */
export async function loadDays(run: RunSql, endpoints: readonly GeneratedEndpoint[]): Promise<void> {
  const ids = endpoints.map(({ id }) => `'${id}'`).join(',');
  await run(`
    insert into public.daily_rollups
      (endpoint_id, day, probes, scored, up, response_n, response_sum_ms, amount_usd, amount_at)
    select e.id, d.day, 48, 48, 48 - (d.ago % 7), 48, 48 * (200 + 5 * d.ago), 0.01 + 0.001 * (d.ago / 10), d.day
    from unnest(array[${ids}]) as e (id)
    cross join (
      select ago, (timestamptz '${SCORED_AT}' at time zone 'UTC')::date - ago as day from generate_series(0, 29) as ago
    ) d`);
}
