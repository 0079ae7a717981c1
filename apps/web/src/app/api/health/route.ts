import { isDatabaseReachable } from '../../../database/database-health.ts';

export const dynamic = 'force-dynamic';

/** Responds with 200 while the server and its database run, and with 503 while the database does not respond. */
export async function GET(): Promise<Response> {
  const ok = await isDatabaseReachable();
  const body = ok ? { ok } : { ok, detail: 'The database does not respond. Cached pages are still served.' };
  return Response.json(body, { status: ok ? 200 : 503, headers: { 'cache-control': 'no-store' } });
}
