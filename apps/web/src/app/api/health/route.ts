import { getSalesProblem } from '../../../operations/paid-route.ts';
import { getDatabaseProblem } from '../../../platform/database/database-health.ts';

export const dynamic = 'force-dynamic';

/**
 * Readiness: responds with 200 while the database responds and has the migrations of this release, otherwise with 503.
 * `canSell` is false if purchases are refused, for example because the disk of the database is full. Free operations
 * still work then, so the status stays 200. `detail` is the reason of the first problem.
 */
export async function GET(): Promise<Response> {
  const problem = await getDatabaseProblem();
  const detail = problem ?? (await getSalesProblem());
  const body = { ok: problem === null, canSell: detail === null, ...(detail === null ? {} : { detail }) };
  return Response.json(body, {
    status: problem === null ? 200 : 503,
    headers: { 'cache-control': 'no-store' },
  });
}
