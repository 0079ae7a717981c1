export const dynamic = 'force-dynamic';

/**
 * Liveness: responds with 200 while this process handles requests. It reads no database, because a restart of the site
 * does not repair the database.
 */
export function GET(): Response {
  return Response.json({ ok: true }, { headers: { 'cache-control': 'no-store' } });
}
