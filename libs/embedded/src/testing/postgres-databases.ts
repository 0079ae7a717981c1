import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { MIGRATIONS, migrate, readMigrations } from '../migrate.ts';
import type { Driver, EmbeddedDatabase, EmbeddedOptions } from '../start.ts';
import { servePostgres } from './serve-postgres.ts';

/** Role that owns the test databases. Like the role `postgres` of a Supabase project, this role is not a superuser. */
const OWNER = 'owner';
/** Name of the database with all migrations. */
export const TEMPLATE = 'migrated';
const DUPLICATE_ATTEMPTS = 100;
/** SQLSTATE of a template that another session uses. */
const OBJECT_IN_USE = '55006';

type Sql = ReturnType<typeof postgres>;

const connect = (server: string, user: string, database: string): Sql =>
  postgres(`postgres://${user}@${server}/${database}`, {
    max: 1,
    onnotice: () => undefined,
    // PGlite also returns bigints as numbers.
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
  });

const toDriver = (sql: Sql): Driver => ({
  exec: (text) => sql.unsafe(text).simple(),
  query: async (text, parameters = []) => {
    // The casts are safe: tests pass values that the driver can send, and name the type of their rows.
    const rows = await sql.unsafe(text, parameters as never[]);
    const fields = rows.columns.map(({ name, type }) => ({ name, dataTypeID: type }));
    return { rows: [...rows] as never[], fields };
  },
});

/** Connection to a database as its owner. */
interface OwnerConnection {
  readonly driver: Driver;
  close(): Promise<void>;
}

export const toOwnerUrl = (server: string, database: string): string =>
  `postgres://${OWNER}@${server}/${database}`;

/** Connects to a database as its owner. The owner is not a superuser. */
export function connectAsOwner(server: string, database: string): OwnerConnection {
  const sql = connect(server, OWNER, database);
  return { driver: toDriver(sql), close: () => sql.end() };
}

/**
 * Creates the roles of a Supabase project and the owner of the test databases.
 * @param server host and port
 */
async function createRoles(server: string): Promise<void> {
  const admin = connect(server, 'postgres', 'postgres');
  await admin
    .unsafe(
      `create role anon nologin noinherit; create role authenticated nologin noinherit;
       create role service_role nologin noinherit bypassrls;
       create role ${OWNER} login; grant anon, authenticated, service_role to ${OWNER};`,
    )
    .simple();
  await admin.end();
}

/** Creates a database without migrations. Its owner must exist, and is not a superuser. */
export async function createDatabase(server: string, name: string): Promise<void> {
  const admin = connect(server, 'postgres', 'postgres');
  await admin.unsafe(`create database ${name} owner ${OWNER}`);
  await admin.end();
  const superuser = connect(server, 'postgres', name);
  // In a Supabase project, any owner may create the extension, because Supabase marks it as trusted.
  await superuser
    .unsafe(
      `create schema extensions authorization ${OWNER}; create extension vector with schema extensions;`,
    )
    .simple();
  await superuser.end();
}

/**
 * Creates the roles of a Supabase project and a template database, and applies all migrations to the template as a role
 * that is not a superuser.
 *
 * @param server host and port
 */
export async function createMigratedTemplate(server: string): Promise<void> {
  await createRoles(server);
  await createDatabase(server, TEMPLATE);
  const owner = connectAsOwner(server, TEMPLATE);
  await migrate(owner.driver, readMigrations(MIGRATIONS));
  await owner.close();
}

/**
 * Creates a database from the migrated template, and serves its Supabase API. `connection` has the rights of a superuser.
 * @param server host and port of a server with the template
 */
export async function startOnPostgres(
  server: string,
  { keys, port }: Pick<EmbeddedOptions, 'keys' | 'port'>,
): Promise<EmbeddedDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = connect(server, 'postgres', 'postgres');
  await duplicateTemplate((sql) => admin.unsafe(sql), name);
  const superuser = connect(server, 'postgres', name);
  const api = await servePostgres(toOwnerUrl(server, name), {
    keys,
    ...(port === undefined ? {} : { port }),
  });
  return {
    url: api.url,
    applied: [],
    connection: { driver: toDriver(superuser) },
    close: async () => {
      await api.close();
      await superuser.end();
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

/**
 * Creates a database from the template. While another test creates a database, the template is locked, and this
 * function tries again.
 */
export async function duplicateTemplate(
  exec: (sql: string) => Promise<unknown>,
  name: string,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await exec(`create database ${name} template ${TEMPLATE} owner ${OWNER}`);
      return;
    } catch (error) {
      const isInUse = error instanceof postgres.PostgresError && error.code === OBJECT_IN_USE;
      if (!isInUse || attempt === DUPLICATE_ATTEMPTS) throw error;
      await sleep(100);
    }
  }
}
