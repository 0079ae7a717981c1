import type { Driver } from '../start.ts';

/** Rows of all tables that are not empty: name of each table, and a JSON array of its rows. */
export type Rows = readonly { readonly table: string; readonly rows: string }[];

/** Tables with rows to remove. The list of applied migrations is kept. */
const TABLES = `
  select oid::regclass::text as "table" from pg_class
   where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'internal')`;

/**
 * Returns a hash of the definitions of all objects (tables, columns, functions, triggers, roles, rights and so on), of the
 * statistics of the query planner, and of the role and the settings of the session. Each change of a definition changes it,
 * because it contains the transaction of the last change. Sequences are compared by their settings, because a restart
 * changes this transaction.
 */
export async function readDefinitions(driver: Driver): Promise<string> {
  const catalogs = [
    'pg_attribute',
    'pg_attrdef',
    'pg_auth_members',
    'pg_authid',
    'pg_constraint',
    'pg_db_role_setting',
    'pg_default_acl',
    'pg_enum',
    'pg_event_trigger',
    'pg_extension',
    'pg_index',
    'pg_namespace',
    'pg_policy',
    'pg_proc',
    'pg_publication',
    'pg_publication_rel',
    'pg_rewrite',
    'pg_statistic',
    'pg_statistic_ext',
    'pg_trigger',
    'pg_type',
  ].map(
    (catalog) =>
      `(select concat(count(*), ' ', max(xmin::text::bigint), ' ', sum(xmin::text::bigint)) from ${catalog})`,
  );
  const { rows } = await driver.query<{ definitions: string }>(`
    select md5(concat_ws(',', ${catalogs.join(', ')},
      (select string_agg(concat_ws(' ', oid, relname, relkind, relacl, relowner, relrowsecurity, reloptions), ',' order by oid)
         from pg_class where oid >= 16384 and relkind <> 't'),
      (select string_agg(concat_ws(' ', seqrelid, seqtypid, seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle), ','
         order by seqrelid) from pg_sequence),
      current_user,
      (select string_agg(name || ' ' || setting, ',' order by name) from pg_settings where source = 'session')
    )) as definitions`);
  return rows[0]?.definitions ?? '';
}

/** Drops all partitions. The migrations create none: the functions that record observations create them. */
export async function dropPartitions(driver: Driver): Promise<void> {
  const { rows } = await driver.query<{ partitions: string | null }>(`
    select string_agg(inhrelid::regclass::text, ', ') as partitions
      from pg_inherits join pg_class on oid = inhrelid where relkind = 'r'`);
  const partitions = rows[0]?.partitions ?? null;
  if (partitions !== null) await driver.exec(`drop table ${partitions}`);
}

/** Reads all rows. */
export async function readRows(driver: Driver): Promise<Rows> {
  const { rows: tables } = await driver.query<{ table: string }>(TABLES);
  const all: { readonly table: string; readonly rows: string }[] = [];
  for (const { table } of tables) {
    const { rows } = await driver.query<{ rows: string | null }>(
      `select json_agg(entry)::text as rows from ${table} entry`,
    );
    const found = rows[0]?.rows ?? null;
    if (found !== null) all.push({ table, rows: found });
  }
  return all;
}

/**
 * Removes all rows, inserts the given ones, and restarts all sequences. No trigger runs. The checkpoint deletes the files of
 * the removed rows and the log.
 */
export async function removeRows(driver: Driver, inserted: Rows): Promise<void> {
  const { rows: tables } = await driver.query<{ table: string }>(`${TABLES} and pg_relation_size(oid) > 0`);
  const { rows: sequences } = await driver.query<{ sequence: string }>(
    `select format('%I.%I', schemaname, sequencename) as sequence from pg_sequences where last_value is not null`,
  );
  const names = tables.map(({ table }) => table);
  await driver.exec(`begin; set local session_replication_role = replica;
    ${names.length === 0 ? '' : `truncate ${names.join(', ')} cascade;`}
    ${sequences.map(({ sequence }) => `alter sequence ${sequence} restart;`).join(' ')}`);
  for (const { table, rows } of inserted)
    await driver.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
      rows,
    ]);
  await driver.exec('commit');
  await driver.exec('checkpoint');
}
