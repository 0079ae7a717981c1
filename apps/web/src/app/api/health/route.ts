export const dynamic = 'force-dynamic';

/** Says that the server answers. It asks nobody else, so a database that is away does not make it look dead. */
export function GET(): Response {
  return Response.json({ ok: true }, { headers: { 'cache-control': 'no-store' } });
}
