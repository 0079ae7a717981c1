import { call, StoreError, type Db } from '../client/client.ts';
import { MIGRATIONS } from '../migrations.generated.ts';

/** Error codes of a missing function: of PostgreSQL, and of PostgREST. */
const MISSING_CODES: ReadonlySet<string | undefined> = new Set(['42883', 'PGRST202']);

const ADVICE =
  'Stop the service, apply the migrations in supabase/migrations with `npx supabase db push`, and start it again.';

/**
 * Compares the schema of the database with the migrations of this release. The migrations of a later release are
 * accepted, because the database is upgraded before the site. A database whose migrations are not recorded, because
 * another tool applied them, is accepted if it has the function that reads them.
 *
 * @returns A message for the operator that names the missing migrations; null if no migration is missing.
 * @throws StoreError when the database does not respond.
 */
export async function findSchemaProblem(db: Db): Promise<string | null> {
  const { data, error } = await db.rpc('applied_migrations');
  if (error === null) return describeMissing(data);
  const failure = new StoreError('read the applied migrations', error);
  if (!MISSING_CODES.has(failure.code)) throw failure;
  return `The database is empty or incomplete: it lacks the function applied_migrations. The last migration is ${MIGRATIONS.at(-1) ?? ''}. ${ADVICE}`;
}

/**
 * Describes the migrations that were not applied; null if all migrations were applied, or if the applied versions are
 * unknown.
 */
function describeMissing(versions: readonly string[] | null): string | null {
  if (versions === null) return null;
  const applied = new Set(versions);
  const missing = MIGRATIONS.filter((name) => !applied.has(name.split('_', 1)[0] ?? ''));
  const [first, ...others] = missing;
  if (first === undefined) return null;
  const last = others.at(-1);
  const names = last === undefined ? first : `${first} to ${last}`;
  return `The database lacks ${missing.length} of the ${MIGRATIONS.length} migrations of this release: ${names}. ${ADVICE}`;
}

/**
 * Returns false while the database accepts no writes, for example because its disk is full.
 * @throws StoreError when the database does not respond.
 */
export async function isWritable(db: Db): Promise<boolean> {
  return call(db, 'is_writable', {});
}
