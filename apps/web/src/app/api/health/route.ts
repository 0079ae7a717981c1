export const dynamic = 'force-dynamic';

/** Responds while the server runs. It needs no database, so a database outage does not mark the server as dead. */
export function GET(): Response {
  return Response.json({ ok: true }, { headers: { 'cache-control': 'no-store' } });
}
