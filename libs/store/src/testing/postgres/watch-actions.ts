import { expect } from 'vitest';
import { insertEndpoints } from './probe-actions.ts';
import { formatLiteral, type Session } from '@touchstone/embedded/testing/postgres';
import { at, toTime } from './sql-time.ts';

export const DAY = 24 * 3600;
const EVENTS = `array['payto_change', 'price_change', 'liveness_down', 'liveness_recovered']`;

/** Returns the id of the endpoint with a number. */
export function toEndpointId(n: number): string {
  return `ep${toLetters(n).padStart(8, 'a')}`;
}

/** Returns the id of the watch with a number. Watch ids and endpoint ids have different orders. */
export function toWatchId(n: number): string {
  return `w_${toLetters((n * 7919) % 100_000).padStart(26, 'a')}`;
}

const toLetters = (n: number): string =>
  [...String(n)].map((digit) => 'abcdefghij'[Number(digit)] ?? '').join('');
const toPayment = (n: number): string =>
  formatLiteral({ network: 'n', asset: 'a', payer: `p${n}`, nonce: `n${n}`, owner: `o${n}` });

export interface Worker {
  readonly session: Session;
  readonly owner: string;
  /** Time of the call, in seconds after the start of the tests. */
  readonly seconds?: number;
}

export interface Delivery {
  readonly destination_id: number;
  readonly first_sequence: number;
  readonly last_sequence: number;
  readonly entries: readonly { readonly sequence: number }[];
}

/** Adds endpoints with the numbers from `from` to `to`. */
export async function addEndpoints(admin: Session, from: number, to: number): Promise<void> {
  const ids = Array.from({ length: to - from + 1 }, (_, i) => `('${toEndpointId(from + i)}')`).join();
  await insertEndpoints(admin, `select id from (values ${ids}) as v (id)`, "'host'");
}

export async function prepare(session: Session, n: number, endpoint: number): Promise<void> {
  const payment = `${toPayment(n)}::jsonb || '{"route": "POST /v1/watch-endpoint-30d", "request_hash": "h", "payment_hash": "h",
    "resource": "r", "pay_to": "t", "amount": "1", "valid_before": "${toTime(DAY)}"}'`;
  await session.exec(`select claim_payment(${payment}, 30, 3, ${at(0)})`);
  const watch = `jsonb_build_object('id', '${toWatchId(n)}', 'endpointId', '${toEndpointId(endpoint)}',
    'secretHash', '', 'signingKey', '', 'events', ${EVENTS}, 'livenessSensitivityN', 1,
    'expiresAt', ${at(30 * DAY)}, 'destinations', '[
      {"channel": "webhook", "url": "u", "label": "l", "receiver": "l"}, {"channel": "slack", "url": "u", "label": "l", "receiver": "l"}
    ]'::jsonb)`;
  const [row] = await session.rows(`select create_watch(${watch}, ${toPayment(n)}, ${at(0)}) as created`);
  expect(row).toEqual({ created: true });
  await session.exec(`select store_payment_result('n', 'a', 'p${n}', 'n${n}', 'o${n}', 'r', 30, ${at(0)})`);
}

export function toSettle(n: number, seconds = 1): string {
  return `select settle_payment('n', 'a', 'p${n}', 'n${n}', 't', 'r', true, ${at(seconds)})`;
}

export function toCancel(n: number): string {
  return `select cancel_watch('${toWatchId(n)}', ${at(DAY)})`;
}

export function record(session: Session, rows: readonly object[]): Promise<void> {
  return session.exec(
    `select record_observations('w', ${at(9 * DAY)}, ${formatLiteral(JSON.stringify(rows))})`,
  );
}

/**
 * Returns an observation of an endpoint: a failed probe if `isMiss` is true, otherwise a probe with `seconds` as the
 * price.
 */
export function toRow(endpoint: number, seconds: number, isMiss = false) {
  return {
    endpointId: toEndpointId(endpoint),
    at: toTime(seconds),
    outcome: isMiss ? 'timeout' : 'challenged',
    vitality: isMiss ? 0 : 1,
    excluded: false,
    ...(isMiss ? {} : { terms: { prices: { x: `${seconds}` }, payTo: { x: ['0xa'] } } }),
  };
}

export async function claim({ session, owner, seconds = 10 * DAY }: Worker): Promise<Delivery[]> {
  const rows = await session.rows(
    `select destination_id, first_sequence, last_sequence, entries from claim_deliveries('${owner}', ${at(seconds)}, 60, 20, 20)`,
  );
  // The cast is safe because the query selects exactly the columns of `Delivery`.
  return rows as unknown as Delivery[];
}

export async function recordResults(
  { session, owner, seconds = 10 * DAY }: Worker,
  results: readonly object[],
) {
  const [counts] = await session.rows(
    `select * from record_deliveries('${owner}', ${at(seconds)}, 432000, ${formatLiteral(JSON.stringify(results))})`,
  );
  return counts;
}

export function toResult({ destination_id, first_sequence, last_sequence }: Delivery, outcome = 'delivered') {
  return {
    destinationId: destination_id,
    firstSequence: first_sequence,
    lastSequence: last_sequence,
    at: toTime(10 * DAY),
    durationMs: 1,
    outcome,
  };
}
