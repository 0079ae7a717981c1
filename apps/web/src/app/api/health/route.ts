export const dynamic = 'force-dynamic';

/**
 * Responds with 200 while the server runs. The response needs no database, so a database outage does not mark the
 * server as dead.
 */
export function GET(): Response {
  return Response.json({ ok: true }, { headers: { 'cache-control': 'no-store' } });
}
