import type { ClaimedEndpoint } from '@touchstone/store';
import type { Session } from './postgres.ts';

/**
 * Start of the benchmark's virtual time (a Monday noon), in milliseconds since 1970. The SQL functions receive the
 * virtual time as an argument.
 */
export const START_MS = Date.parse('2026-11-02T12:00:00Z');

/**
 * SQL expression that turns the number `n` into an endpoint id of ten base32 characters. The first five characters are
 * a hash, so that consecutive numbers are far apart in the index. The ids of numbers below 2^20 are unique.
 */
export const ENDPOINT_ID_SQL = `translate(left(md5(n::text), 5) || lpad(to_hex(n), 5, '0'), '0189', 'wxyz')`;

/** One endpoint in 20 belongs to one of two large hosts. The other hosts have 12 endpoints each. */
const HOST_SQL = `case when n % 20 = 0 then 'large' || n % 40 / 20 || '.example.com' else 'h' || n / 12 || '.example.com' end`;

/**
 * Returns SQL that inserts `count` listed endpoints with their schedules. Their first probes are due in the 30 minutes
 * after `START_MS`, evenly spread.
 */
export function buildCatalogSql(count: number): string {
  return `
    set synchronous_commit = off;
    drop table if exists made;
    create temp table made as
      select n, ${ENDPOINT_ID_SQL} as id, ${HOST_SQL} as host
      from generate_series(1, ${count}) n;
    insert into public.endpoints (
      id, resource, probe_url, host, slug, templated, service_name, description, declared_method, listed_options,
      protocol_version, first_seen_at
    )
    select id, 'https://' || host || '/v1/tools/weather/by-city/' || id, 'https://' || host || '/v1/tools/weather/by-city/' || id,
      host, replace(host, '.', '-') || '-v1-tools-weather-by-city-' || id, false, 'Weather service',
      'Current weather, forecast and air quality for a city, with units of your choice', 'GET',
      '[{"network":"eip155:8453","asset":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","amount":"10000","payTo":"0x209693bc6afc0c5328ba36faf03c514ef312287c","amountUsd":"0.01"}]',
      2, to_timestamp(${START_MS / 1_000}) - interval '60 days'
    from made;
    insert into public.listings (endpoint_id, directory, first_listed_at, last_listed_at, last_run_id)
    select id, 'https://directory.example.com/discovery', to_timestamp(${START_MS / 1_000}) - interval '60 days',
      to_timestamp(${START_MS / 1_000}), 1 from made;
    insert into public.endpoint_states (endpoint_id) select id from made;
    insert into public.schedules (endpoint_id, host, offset_seconds, next_probe_at)
    select id, host, internal.stable_hash(id) % 1800,
      internal.next_slot(to_timestamp(${START_MS / 1_000}), 1800, internal.stable_hash(id) % 1800)
    from made;
    select public.create_observation_partitions('2026-11-01', '2026-11-04');
    analyze;
    set synchronous_commit = on`;
}

const toIso = (at: number): string => new Date(at).toISOString();

/**
 * Returns SQL that claims probe slots. A probe slot is the planned time of one probe. The output has one JSON object
 * per line.
 */
export function buildClaimSql(owner: string, at: number, limit: number): string {
  return `select row_to_json(c) from public.claim_due_endpoints('${owner}', '${toIso(at)}', ${limit}, 300) c`;
}

/** Row that the SQL function `claim_due_endpoints` returns: one claimed probe slot. */
interface ClaimedRow {
  readonly endpoint_id: string;
  readonly slot_at: string;
  readonly is_recheck: boolean;
  readonly resource: string;
  readonly probe_url: string;
  readonly host: string;
}

/** Returns SQL that inserts the leases of claimed probe slots. */
export function buildLeaseSql(owner: string, at: number, slots: readonly ClaimedEndpoint[]): string {
  const ids = slots.map((slot) => slot.endpointId).join(',');
  return `
    insert into public.leases (endpoint_id, slot_at, owner, expires_at, due_slots, due_seconds)
    select id, '${toIso(at)}', '${owner}', '${toIso(at + 300_000)}', 1, 1800 from unnest('{${ids}}'::text[]) id`;
}

/** Parses the output of the SQL that claims probe slots. */
export function parseClaim(output: string): readonly ClaimedEndpoint[] {
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      // The type is safe, because row_to_json wrote this line from the columns of the SQL function.
      const row = JSON.parse(line) as ClaimedRow;
      return {
        endpointId: row.endpoint_id,
        slotAt: Date.parse(row.slot_at),
        isRecheck: row.is_recheck,
        resource: row.resource,
        probeUrl: row.probe_url,
        host: row.host,
        declaredMethod: 'GET',
        challengedMethod: null,
        settledThrough: [],
      };
    });
}

/** Claims at most `limit` probe slots that are due at the time `at`, in milliseconds since 1970. */
export async function claimSlots(
  session: Session,
  at: number,
  limit: number,
): Promise<readonly ClaimedEndpoint[]> {
  return parseClaim(await session.run(buildClaimSql('bench', at, limit)));
}
