import { readFileSync, readdirSync } from 'node:fs';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { vector } from '@electric-sql/pglite/vector';
import { z } from 'zod';

/** PostgreSQL extensions that the migrations need. */
export const EXTENSIONS = { vector, pg_trgm };

/** Folder of the migrations of this repository. */
export const MIGRATIONS = new URL('../../../supabase/migrations/', import.meta.url);

/** Database methods that migrations need. PGlite implements this interface. */
export interface SqlRunner {
  exec(sql: string): Promise<unknown>;
  query(sql: string, parameters?: unknown[]): Promise<{ rows: unknown[] }>;
}

/**
 * SQL that creates the roles and default grants of a Supabase project, because a new PostgreSQL database lacks them.
 */
const SUPABASE_BASE = `
  do $$
  declare
    v_role text;
  begin
    foreach v_role in array array['anon', 'authenticated', 'service_role'] loop
      if not exists (select 1 from pg_roles where rolname = v_role) then
        execute format('create role %I nologin noinherit', v_role);
      end if;
    end loop;
    -- Only a superuser may set this attribute. In a Supabase project, the role has it already.
    if not (select rolbypassrls from pg_roles where rolname = 'service_role') then
      alter role service_role bypassrls;
    end if;
  end $$;
  grant usage on schema public to anon, authenticated, service_role;
  alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
  alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations (
    version text primary key, statements text[], name text
  );
`;

const rowsSchema = z.array(z.object({ version: z.string(), statements: z.array(z.string()).nullable() }));

export interface Migration {
  readonly version: string;
  readonly name: string;
  readonly sql: string;
}

/** Reads all migrations of a folder, from files named `<version>_<name>.sql`, in order of version. */
export function readMigrations(folder: URL): readonly Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d+_\w+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const [version = '', ...words] = file.replace('.sql', '').split('_');
      return { version, name: words.join('_'), sql: readFileSync(new URL(file, folder), 'utf8') };
    });
}

/**
 * Applies the migrations that a database lacks, each in its own transaction: all migrations to a new database, and the
 * remaining migrations after an interrupted first start. Each migration is recorded with its text in the table that the
 * Supabase CLI uses.
 *
 * @param folder data folder of the database, for messages; null for a database without a data folder
 * @returns Versions that were applied by this call, in order.
 * @throws Error when the applied migrations differ in version or text from the first entries of `migrations`; then
 * no migration is applied. Error with the name of a migration that failed; the migrations before it stay applied.
 */
export async function migrate(
  database: SqlRunner,
  migrations: readonly Migration[],
  folder: string | null = null,
): Promise<readonly string[]> {
  await database.exec(SUPABASE_BASE);
  const { rows } = await database.query(
    'select version, statements from supabase_migrations.schema_migrations order by version',
  );
  const applied = rowsSchema.parse(rows);
  const isSame = applied.every(({ version, statements }, index) => {
    const migration = migrations[index];
    return migration?.version === version && statements?.join('') === migration.sql;
  });
  if (!isSame) {
    throw new Error(
      `${folder === null ? 'The database' : `The data folder ${folder}`} was created by another version of Touchstone. ` +
        'Move it away, and start again.',
    );
  }
  const pending = migrations.slice(applied.length);
  for (const migration of pending) await applyMigration(database, migration);
  return pending.map(({ version }) => version);
}

async function applyMigration(database: SqlRunner, { version, name, sql }: Migration): Promise<void> {
  try {
    await database.exec(`begin;\n${sql}`);
    await database.query('insert into supabase_migrations.schema_migrations values ($1, $2, $3)', [
      version,
      [sql],
      name,
    ]);
    await database.exec('commit');
  } catch (cause) {
    await database.exec('rollback');
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Migration ${version}_${name} failed: ${reason}`, { cause });
  }
}
