import type { EmbeddedDatabase } from '@touchstone/embedded';

type Driver = EmbeddedDatabase['connection']['driver'];

/**
 * Starts a log of all claims and deletions of leases, and creates the view `race.slots`. It has one row for each claimed
 * slot: how often an observation was recorded for it, the worker that held its lease then, and the number of workers
 * that have claimed it.
 */
export async function startLeaseLog(driver: Driver): Promise<void> {
  await driver.exec(`
    create schema race;
    create table race.lease_log (
      endpoint_id text collate "C", slot_at timestamptz, is_recheck boolean, owner text, action text, function text
    );
    create function race.log_lease() returns trigger language plpgsql security definer as $$
    declare
      l public.leases := coalesce(new, old);
    begin
      insert into race.lease_log values (
        l.endpoint_id, l.slot_at, l.is_recheck, l.owner, tg_op,
        substring(current_query() from 'record_observations|claim_due_endpoints')
      );
      return null;
    end $$;
    create trigger log_lease after insert or delete or update of owner on public.leases
    for each row execute function race.log_lease();
    create view race.slots as
    select l.endpoint_id, l.slot_at, bool_or(l.is_recheck) as is_recheck,
      count(*) filter (where l.action = 'DELETE' and l.function = 'record_observations')::integer as recorded,
      max(substring(l.owner from 'worker-(\\d)')) filter (where l.action = 'DELETE')::integer as worker,
      count(distinct l.owner) filter (where l.owner <> '')::integer as owners
    from race.lease_log l group by 1, 2;`);
}

/** Returns the rows that an SQL query finds; at most ten, because a test expects none. */
export async function select(driver: Driver, sql: string): Promise<readonly unknown[]> {
  const { rows } = await driver.query(`select * from (${sql}) q limit 10`);
  return rows;
}

/** Returns the number of rows that an SQL query finds. */
export async function count(driver: Driver, sql: string): Promise<number> {
  const { rows } = await driver.query<{ n: number }>(`select count(*)::integer as n from (${sql}) q`);
  return rows[0]?.n ?? Number.NaN;
}

/**
 * Returns the number of deadlocks in a database. It ends all other connections, because PostgreSQL counts the deadlocks
 * of a connection at the latest when it ends.
 */
export async function countDeadlocks(driver: Driver): Promise<number> {
  const others =
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
  await driver.query(`select pg_terminate_backend(pid, 5000) from (${others}) o`);
  const { rows } = await driver.query<{ n: number }>(
    'select deadlocks::integer as n from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.n ?? Number.NaN;
}

/** Slots recorded more than once, and scheduled slots that were never recorded although no later slot replaced them. */
export const UNEVEN_SLOTS = `
  select * from race.slots s where s.recorded > 1 or s.recorded = 0 and not s.is_recheck and not exists (
    select 1 from race.slots o where o.endpoint_id = s.endpoint_id and o.slot_at > s.slot_at and o.recorded = 1
  )`;

/**
 * Endpoints and workers whose number of observations differs from the number of leases that they held while an
 * observation was recorded. The time of an observation shows its worker, see `readClock`.
 */
export const FOREIGN_OBSERVATIONS = `
  select * from (
    select s.endpoint_id, s.is_recheck, s.worker, count(*) as slots from race.slots s where s.recorded = 1 group by 1, 2, 3
  ) s full join (
    select o.endpoint_id, o.is_recheck, ((extract(epoch from o.at) * 1000)::bigint % 8)::integer as worker,
      count(*) as observations
    from public.observations o group by 1, 2, 3
  ) o using (endpoint_id, is_recheck, worker)
  where s.slots is distinct from o.observations`;

/** Daily rollups whose figures differ from the observations of the day. */
export const WRONG_ROLLUPS = `
  select * from (
    select d.endpoint_id, d.day, d.probes, d.rechecks, d.up, d.excluded, d.slots_probed from public.daily_rollups d
    where d.probes > 0 or d.rechecks > 0
  ) d full join (
    select o.endpoint_id, (o.at at time zone 'UTC')::date as day,
      count(*) filter (where not o.is_recheck) as probes,
      count(*) filter (where o.is_recheck) as rechecks,
      count(*) filter (where not o.is_recheck and not o.excluded and o.vitality = 1) as up,
      count(*) filter (where not o.is_recheck and o.excluded) as excluded,
      count(*) filter (where not o.is_recheck and not o.excluded) as slots_probed
    from public.observations o group by 1, 2
  ) o using (endpoint_id, day)
  where (d.probes, d.rechecks, d.up, d.excluded, d.slots_probed)
    is distinct from (o.probes, o.rechecks, o.up, o.excluded, o.slots_probed)`;

/** Endpoints whose snapshot was computed from an earlier observation or an earlier text, and queued endpoints. */
export const OLD_SNAPSHOTS = `
  select e.id, n.last_probed_at, s.last_probed_at as probed_at, q.due_at
  from public.endpoints e join public.endpoint_states s on s.endpoint_id = e.id
  left join public.snapshots n on n.endpoint_id = e.id left join public.scoring_queue q on q.endpoint_id = e.id
  where n.last_probed_at is distinct from s.last_probed_at or n.description is distinct from e.description
    or q.endpoint_id is not null`;

/** Changes of watched endpoints that are not exactly once in the log of the watch, and logs with gaps. */
export const WRONG_WATCH_LOGS = `
  select w.id, c.at from public.watches w join public.changes c on c.endpoint_id = w.endpoint_id
  where c.kind = 'price_change' and (
    select count(*) from public.watch_log l where l.watch_id = w.id and l.type = c.kind and l.at = c.at
  ) <> 1
  union all
  select w.id, null from public.watches w left join public.watch_log l on l.watch_id = w.id
  group by w.id, w.last_sequence having count(l.*) <> w.last_sequence or max(l.sequence) <> w.last_sequence`;

/** Partitions of observations before 2026-10-01. */
export const OLD_PARTITIONS = `
  select c.relname from pg_class c where c.relname like 'observations_2%' and c.relname < 'observations_20261001'`;
