import { MIGRATIONS, migrate, readMigrations, type SqlRunner } from '../../migrate.ts';
import type { Driver } from '../../start.ts';
import { readRows } from '../reset-database.ts';
import { PREVIOUS_DATA, readPreviousMigrations } from './previous-release.ts';
import { PREVIOUS_READS } from './previous-reads.ts';

/** Rows of each table that is not empty, in a fixed order. */
export type Tables = Readonly<Record<string, readonly object[]>>;

/** A database that was upgraded from the previous release. */
export interface Upgrade {
  /** Tables of the previous release without rows. */
  readonly emptyTables: readonly string[];
  /** Rows before the upgrade. */
  readonly rows: Tables;
  /** Results of `PREVIOUS_READS` before the upgrade. */
  readonly reads: Readonly<Record<string, unknown>>;
  /** Versions of the migrations of the upgrade. */
  readonly applied: readonly string[];
}

/** Calls functions of the database as the role of the service, and returns the rows of a query as JSON. */
export async function queryAsService(driver: SqlRunner, sql: string): Promise<readonly unknown[]> {
  await driver.exec('set role service_role');
  try {
    const { rows } = await driver.query(`with q as materialized (${sql})
      select coalesce(json_agg(q order by q::text collate "C"), '[]') as rows from q`);
    // The cast is safe because the query returns one row with an array.
    return (rows[0] as { rows: readonly unknown[] }).rows;
  } finally {
    await driver.exec('reset role');
  }
}

/** Reads the data of a database with the functions of the previous release. */
export async function readData(driver: SqlRunner): Promise<Readonly<Record<string, unknown>>> {
  const reads: Record<string, unknown> = {};
  for (const [name, sql] of Object.entries(PREVIOUS_READS)) reads[name] = await queryAsService(driver, sql);
  return reads;
}

/**
 * Reads the rows of all tables.
 * @param columns tables with rows that have the columns to read; by default, all columns are read
 */
export async function readTables(driver: Driver, columns: Tables = {}): Promise<Tables> {
  const tables = (await readRows(driver)).map(({ table, rows: text }) => {
    // The cast is safe because the text is an array of the rows of a table.
    const rows = JSON.parse(text) as readonly object[];
    const names = Object.keys(columns[table]?.[0] ?? rows[0] ?? {});
    // With a list of names, JSON.stringify would also leave out members of JSON values.
    const chosen = rows.map((row) => Object.fromEntries(names.map((name) => [name, Reflect.get(row, name)])));
    return [table, chosen.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))] as const;
  });
  return Object.fromEntries(tables);
}

/**
 * Upgrades a database without rows from the previous release, after storing data as the service of that release did. Migrations
 * of the previous release that are missing are applied first.
 */
export async function upgradeDatabase(driver: Driver): Promise<Upgrade> {
  await driver.exec(`set timezone = 'UTC'`);
  await migrate(driver, readPreviousMigrations());
  await driver.exec('set role service_role');
  for (const sql of PREVIOUS_DATA) await driver.exec(sql);
  await driver.exec('reset role');
  const rows = await readTables(driver);
  const emptyTables = await findEmptyTables(driver, rows);
  const reads = await readData(driver);
  const applied = await migrate(driver, readMigrations(MIGRATIONS));
  return { emptyTables, rows, reads, applied };
}

async function findEmptyTables(driver: Driver, rows: Tables): Promise<readonly string[]> {
  const { rows: tables } = await driver.query<{ name: string }>(`
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`);
  return tables.map(({ name }) => name).filter((name) => !Object.hasOwn(rows, name));
}
