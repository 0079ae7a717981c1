import { randomBytes } from 'node:crypto';
import { connect as openSocket, type Socket } from 'node:net';
import postgres from 'postgres';
import { duplicateTemplate } from './postgres-databases.ts';

/** A connection of the superuser to a PostgreSQL database. Statements run one after the other. */
export interface Session {
  /** Runs SQL statements. Several statements in one call are one transaction. */
  exec(sql: string): Promise<void>;
  /** Returns the rows of a select statement as JSON objects. */
  rows(sql: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
  /** Closes the socket without the message that ends a connection, as a killed process does. */
  kill(): void;
}

/** A database for tests with several connections. The embedded database supports only one connection. */
export interface SharedDatabase {
  readonly name: string;
  /** Opens another connection. `close` closes it, unless the test has killed it. */
  open(): Promise<Session>;
  /** Closes all connections, and drops the database. */
  close(): Promise<void>;
}

/**
 * Creates a database with all migrations on the PostgreSQL server of this test run.
 * @param server host and port of a server with the migrated template
 */
export async function createSharedDatabase(server: string): Promise<SharedDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = await openSession(server, 'postgres');
  await duplicateTemplate((sql) => admin.exec(sql), name);
  const sessions: Session[] = [];
  return {
    name,
    open: async () => {
      const session = await openSession(server, name);
      sessions.push(session);
      return session;
    },
    close: async () => {
      await Promise.all(sessions.map((session) => session.close()));
      await admin.exec(`drop database ${name} with (force)`);
      await admin.close();
    },
  };
}

/**
 * Connects to a database as the superuser.
 * @throws Error when the server does not respond
 */
export async function openSession(server: string, database: string): Promise<Session> {
  let socket: Socket | undefined;
  let isKilled = false;
  const { hostname, port } = new URL(`postgres://${server}`);
  const options = {
    max: 1,
    fetch_types: false,
    onnotice: () => undefined,
    // The types of the driver lack this option. The option returns a connected socket.
    socket: async () => {
      if (isKilled) throw new Error('The session was killed.');
      const opened = openSocket(Number(port), hostname);
      socket = opened;
      await new Promise<void>((connected, failed) => {
        opened.once('connect', connected).once('error', failed);
      });
      return opened;
    },
  };
  const sql = postgres(`postgres://postgres@${server}/${database}`, options);
  const exec = async (text: string): Promise<void> => {
    await sql.unsafe(text).simple();
  };
  await exec('select 1');
  return {
    exec,
    rows: async (text) => {
      const [row] = await sql.unsafe<{ rows: Record<string, unknown>[] }[]>(
        `select coalesce(json_agg(q), '[]') as rows from (${text}) q`,
      );
      return row?.rows ?? [];
    },
    close: async () => {
      if (!isKilled) await sql.end();
    },
    kill: () => {
      isKilled = true;
      socket?.destroy();
    },
  };
}

/** Formats a value as an SQL literal. */
export function formatLiteral(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `'${text.replaceAll("'", "''")}'`;
}
