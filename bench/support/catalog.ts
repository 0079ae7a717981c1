import type { ClaimedEndpoint } from '@touchstone/store';
import type { Session } from './psql.ts';

/** Monday noon: every time of a run is given from here on, as the functions want it. */
export const START = Date.parse('2026-11-02T12:00:00Z');

/**
 * An id of the catalog's form from a number: ten letters of base 32, the first five of them a hash, so that neighbours
 * in time are no neighbours in the index. Two numbers below 2^20 never share one.
 */
const ID = `translate(left(md5(n::text), 5) || lpad(to_hex(n), 5, '0'), '0189', 'wxyz')`;

/**
 * SQL that lists so many endpoints, due evenly over the half hour before START and after it. A twentieth of them lives
 * on two large hosts, the others on hosts of twelve.
 */
export function catalogSql(endpoints: number): string {
  return `
    set synchronous_commit = off;
    create temp table made as
      select n, ${ID} as id,
        case when n % 20 = 0 then 'large' || n % 40 / 20 || '.example.com'
          else 'h' || n / 12 || '.example.com' end as host
      from generate_series(1, ${endpoints}) n;
    insert into public.endpoints (
      id, resource, probe_url, host, slug, templated, service_name, description, declared_method, listed_options,
      protocol_version, first_seen_at
    )
    select id, 'https://' || host || '/v1/tools/weather/by-city/' || id, 'https://' || host || '/v1/tools/weather/by-city/' || id,
      host, replace(host, '.', '-') || '-v1-tools-weather-by-city-' || id, false, 'Weather service',
      'Current weather, forecast and air quality for a city, with units of your choice', 'GET',
      '[{"network":"eip155:8453","asset":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","amount":"10000","payTo":"0x209693bc6afc0c5328ba36faf03c514ef312287c","amountUsd":"0.01"}]',
      2, to_timestamp(${START / 1_000}) - interval '60 days'
    from made;
    insert into public.listings (endpoint_id, directory, first_listed_at, last_listed_at, last_run_id)
    select id, 'https://directory.example.com/discovery', to_timestamp(${START / 1_000}) - interval '60 days',
      to_timestamp(${START / 1_000}), 1 from made;
    insert into public.endpoint_states (endpoint_id) select id from made;
    insert into public.schedules (endpoint_id, host, offset_seconds, next_probe_at)
    select id, host, internal.spread(id) % 1800,
      internal.next_slot(to_timestamp(${START / 1_000}), 1800, internal.spread(id) % 1800) from made;
    select public.maintain_observation_partitions('2026-11-01', '2026-11-04');
    analyze;
    set synchronous_commit = on`;
}

const iso = (at: number): string => new Date(at).toISOString();

/** A claim as SQL, its rows as JSON lines. */
export function claimSql(owner: string, at: number, limit: number): string {
  return `select row_to_json(c) from public.claim_due_endpoints('${owner}', '${iso(at)}', ${limit}, 300) c`;
}

/** A row of the claim: the columns that claimDueEndpoints reads. */
interface ClaimedRow {
  readonly endpoint_id: string;
  readonly slot_at: string;
  readonly confirms: boolean;
  readonly resource: string;
  readonly probe_url: string;
  readonly host: string;
}

/** The leases that a claim of regular slots leaves, as SQL. */
export function leaseSql(owner: string, at: number, slots: readonly ClaimedEndpoint[]): string {
  const ids = slots.map((slot) => slot.endpointId).join(',');
  return `
    insert into public.leases (endpoint_id, slot_at, owner, expires_at, due_slots, due_seconds)
    select id, '${iso(at)}', '${owner}', '${iso(at + 300_000)}', 1, 1800 from unnest('{${ids}}'::text[]) id`;
}

/** The claimed slots in the answer of a claim. */
export function readClaim(output: string): readonly ClaimedEndpoint[] {
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      // Written by row_to_json from the function's own columns.
      const row = JSON.parse(line) as ClaimedRow;
      return {
        endpointId: row.endpoint_id,
        slotAt: Date.parse(row.slot_at),
        confirms: row.confirms,
        resource: row.resource,
        probeUrl: row.probe_url,
        host: row.host,
        declaredMethod: 'GET',
        challengedMethod: null,
      };
    });
}

export async function claimAt(
  session: Session,
  at: number,
  limit: number,
): Promise<readonly ClaimedEndpoint[]> {
  return readClaim(await session.run(claimSql('bench', at, limit)));
}

/** Bytes of write-ahead log so far. */
export async function walBytes(session: Session): Promise<number> {
  return Number(await session.run(`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')`));
}
