import { at } from './sql-time.ts';

/** Returns an SQL statement that inserts an endpoint of the given id, without a snapshot. */
export function formatEndpointInsert(id: string): string {
  return `
  insert into endpoints (id, resource, host, slug, templated, first_seen_at)
  values ('${id}', 'https://h/${id}', 'h', '${id}', false, ${at(0)});`;
}

/**
 * Returns an SQL statement that inserts the public snapshot of a listed endpoint. The slug of the endpoint is its id.
 */
export function formatSnapshotInsert(id: string): string {
  return `
  insert into snapshots (
    endpoint_id, slug, resource, host, templated, score, score_low, score_high, grade, recommendation, confidence,
    probes_30d, pay_on, first_seen, listing_status, computed_at, content_hash, content_changed_at, days_tracked,
    error_flags, warning_flags
  ) values (
    '${id}', '${id}', 'https://h/${id}', 'h', false, 90, 90, 90, 'A', 'proceed', 1, 1, '[]', ${at(0)}, 'listed', ${at(0)},
    'hash', ${at(0)}, 1, 0, 0
  );`;
}
