import { readFileSync, readdirSync } from 'node:fs';
import { z } from 'zod';

/** The migrations of this repository. */
export const MIGRATIONS = new URL('../../../supabase/migrations/', import.meta.url);

/** The part of a PGlite instance that migrations need. */
export interface SqlRunner {
  exec(sql: string): Promise<unknown>;
  query(sql: string, parameters?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Roles and default rights that every Supabase project has, and a fresh Postgres has not. */
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
    alter role service_role bypassrls;
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

/** Reads `supabase/migrations/<version>_<name>.sql` in order of version. */
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
 * Brings a database up to date, each migration in a transaction of its own, and records it where the Supabase CLI
 * does, so that both agree on what was applied.
 * @returns versions applied now, in order.
 * @throws when a migration fails, naming it; those before it stay applied. And when one that was applied has been
 * rewritten since, for then the database is another than the migrations describe.
 */
export async function migrate(
  database: SqlRunner,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  await database.exec(SUPABASE_BASE);
  const { rows } = await database.query(
    'select version, statements from supabase_migrations.schema_migrations',
  );
  const applied = new Map(rowsSchema.parse(rows).map((row) => [row.version, row.statements]));
  assertUnchanged(migrations, applied);
  const pending = migrations.filter((migration) => !applied.has(migration.version));
  for (const migration of pending) await applyMigration(database, migration);
  return pending.map((migration) => migration.version);
}

function assertUnchanged(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, readonly string[] | null>,
): void {
  const rewritten = migrations.find(({ version, sql }) => {
    const statements = applied.get(version);
    // Only what this room applied is kept whole, as one statement; others write down theirs in their own way.
    return statements?.length === 1 && statements[0] !== sql;
  });
  if (rewritten === undefined) return;
  throw new Error(
    `it was made by an earlier version of Touchstone, whose migration ${rewritten.version}_${rewritten.name} ` +
      'has been rewritten since, and cannot be brought over. Move its data folder away, or delete it, and start again.',
  );
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
