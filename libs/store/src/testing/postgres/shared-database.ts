import { afterAll, beforeAll, expect } from 'vitest';
import {
  createSharedDatabase,
  type Session,
  type SharedDatabase,
} from '@touchstone/embedded/testing/postgres';

/**
 * Host and port of the PostgreSQL server for the tests; empty if there is none. The tests need such a server, because
 * the embedded database has only one connection.
 */
export const server = process.env['TEST_POSTGRES'] ?? '';

interface Connections extends Pick<SharedDatabase, 'name' | 'open'> {
  /** First connection of the superuser. */
  readonly admin: Session;
  /** Waits until a number of connections wait for a row lock. */
  expectLockWaits(count?: number): Promise<void>;
  /** Waits until PostgreSQL has rolled back the transaction of a killed connection. */
  expectRollback(): Promise<void>;
  countDeadlocks(): Promise<unknown>;
}

/** Creates a database with several connections for the tests of a `describe`, and drops it after the tests. */
export function useSharedDatabase(): Connections {
  let opened: { readonly shared: SharedDatabase; readonly admin: Session } | undefined;
  const get = () => {
    if (opened === undefined) throw new Error('The shared database is not open yet.');
    return opened;
  };
  beforeAll(async () => {
    const shared = await createSharedDatabase(server);
    opened = { shared, admin: await shared.open() };
  });
  afterAll(() => opened?.shared.close());
  const poll = (condition: string) =>
    expect.poll(
      () =>
        get().admin.rows(
          `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
        ),
      { timeout: 30_000, interval: 10 },
    );
  return {
    get name() {
      return get().shared.name;
    },
    get admin() {
      return get().admin;
    },
    open: () => get().shared.open(),
    expectLockWaits: (count = 1) => poll("wait_event_type = 'Lock'").toHaveLength(count),
    expectRollback: () => poll("state = 'idle in transaction'").toEqual([]),
    countDeadlocks: async () => {
      const [row] = await get().admin.rows(
        'select deadlocks from pg_stat_database where datname = current_database()',
      );
      return row?.['deadlocks'];
    },
  };
}
