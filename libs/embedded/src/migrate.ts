import { readFileSync, readdirSync } from 'node:fs';
import { z } from 'zod';

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
 * Applies pending migrations, each in its own transaction. Applied versions are recorded in the table that the Supabase
 * CLI uses, so both tools agree on them.
 * @returns Versions that were applied by this call, in order.
 * @throws Error with the name of a migration that failed; the migrations before it stay applied. Also throws when a
 * migration that the database has applied is missing in `migrations` or differs there.
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
  assertKnown(migrations, applied);
  assertUnchanged(migrations, applied);
  const pending = migrations.filter((migration) => !applied.has(migration.version));
  for (const migration of pending) await applyMigration(database, migration);
  return pending.map((migration) => migration.version);
}

function assertKnown(migrations: readonly Migration[], applied: ReadonlyMap<string, unknown>): void {
  const known = new Set(migrations.map(({ version }) => version));
  const unknown = [...applied.keys()].find((version) => !known.has(version));
  if (unknown === undefined) return;
  throw new Error(
    `The database was created by another version of Touchstone: it has the migration ${unknown}, which this version ` +
      'does not contain. Start the version that created it, or move its data folder away, or delete it, and start again.',
  );
}

function assertUnchanged(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, readonly string[] | null>,
): void {
  const changed = migrations.find(({ version, sql }) => {
    const statements = applied.get(version);
    // This package records the text of a migration as a single statement, which can be compared. Other tools split the
    // text, so their records are not compared.
    return statements?.length === 1 && statements[0] !== sql;
  });
  if (changed === undefined) return;
  throw new Error(
    `The database was created by an earlier version of Touchstone: migration ${changed.version}_${changed.name} ` +
      'has changed since then, so the data cannot be upgraded. Move its data folder away, or delete it, and start again.',
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
