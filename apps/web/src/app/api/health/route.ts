import { getDatabaseProblem } from '../../../platform/database/database-health.ts';

export const dynamic = 'force-dynamic';

/**
 * Readiness: responds with 200 while the database responds and has the migrations of this release, otherwise with 503 and
 * the reason.
 */
export async function GET(): Promise<Response> {
  const detail = await getDatabaseProblem();
  const body = detail === null ? { ok: true } : { ok: false, detail };
  return Response.json(body, {
    status: detail === null ? 200 : 503,
    headers: { 'cache-control': 'no-store' },
  });
}
