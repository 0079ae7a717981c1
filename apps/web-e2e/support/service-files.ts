import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@touchstone/common';
import { readStartedEntry, type StartedEntry } from './service-log.ts';

interface ServiceAddresses extends Pick<StartedEntry, 'database'> {
  readonly chains: NonNullable<StartedEntry['chains']>;
  /** URL of the sandbox page that shows the received alerts of watches. */
  readonly receiver: string;
}

const getDataDir = (): string => process.env['TOUCHSTONE_DATA_DIR'] ?? '';

/**
 * Returns the addresses of the database, the chains and the receiver of the service under test. Throws if the service
 * has no chains.
 *
 * @param dataDir data folder of the service; the default is the folder of the shared service
 */
export function readServiceAddresses(dataDir: string = getDataDir()): ServiceAddresses {
  const { database, chains, receiver } = readStartedEntry(dataDir);
  if (chains === null || receiver === null) throw new Error('The service under test has no chains');
  return { database, chains, receiver };
}

/** Reads the private key of the demo wallet. This wallet has sandbox USDC. */
export function readDemoWalletKey(dataDir: string = getDataDir()): `0x${string}` {
  return readFileSync(join(dataDir, 'sandbox', 'demo-wallet.key'), 'utf8').trim() as `0x${string}`;
}

interface LedgerRow {
  readonly route: string;
  readonly resource: string;
  readonly payer: string;
  readonly pay_to: string;
  readonly amount: number;
  readonly state: string;
  readonly transaction: string | null;
}

/** Maximum time until the site has recorded the settlement of a payment, in milliseconds. */
const RECORD_MS = 20_000;

/**
 * Reads the rows of the payments table by transaction hash. Some settlements are recorded after the response, so this
 * function waits for a row. The filter is `like`, because the embedded database API parses `eq.0x…` as a number.
 *
 * @returns an empty array if there is no row after 20 seconds
 */
export async function readPaymentRows(transaction: string): Promise<readonly LedgerRow[]> {
  const deadline = performance.now() + RECORD_MS;
  for (;;) {
    const response = await sendToDatabase(`payments?transaction=like.${transaction}`);
    // The migrations define the columns of this table, so the cast is safe.
    const rows = (await response.json()) as LedgerRow[];
    if (rows.length > 0 || performance.now() > deadline) return rows;
    await sleep(100);
  }
}

/**
 * Stores an endpoint that was removed on request. The service has no operation for this: operators use SQL.
 *
 * @param id id of the endpoint, which no other endpoint has
 */
export async function storeRemovedEndpoint(id: string): Promise<void> {
  const now = new Date().toISOString();
  const row = {
    ...{ id, resource: `https://${id}.example/`, host: `${id}.example`, slug: `${id}-example-${id}` },
    ...{ templated: false, first_seen_at: now, removed_at: now },
  };
  await sendToDatabase('endpoints', { method: 'POST', body: JSON.stringify(row) });
}

/** Events of one endpoint, for `storeOldEvents`. */
interface StoredEvents {
  readonly kind: 'takeover-suspected' | 'price-spike' | 'delisted' | 'outage';
  /** Id of an endpoint that has a page. */
  readonly endpointId: string;
  readonly count: number;
}

/**
 * Age of the newest event that a test stores, in days. The sandbox history is shorter, so it has no event of this age.
 */
const STORED_EVENTS_AGE_DAYS = 20;

/** Stores events that are older than all events of the sandbox, one on each UTC day. Returns their ids, newest first. */
export async function storeOldEvents({ kind, endpointId, count }: StoredEvents): Promise<readonly string[]> {
  const host = `events-${createEndpointId()}.example`;
  const rows = Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.now() - (STORED_EVENTS_AGE_DAYS + index) * DAY_MS).toISOString();
    const times = { day: at.slice(0, 10), at, updated_at: at };
    return { kind, host, ...times, endpoint_id: endpointId, endpoints: 1 };
  });
  await sendToDatabase('ecosystem_events', { method: 'POST', body: JSON.stringify(rows) });
  const stored = await sendToDatabase(`ecosystem_events?host=eq.${host}&order=at.desc&select=id`);
  // The migrations define the columns of this table, so the cast is safe.
  return ((await stored.json()) as { readonly id: number }[]).map(({ id }) => String(id));
}

/** Creates a random id of an endpoint: 10 characters in base 32. */
export function createEndpointId(): string {
  const characters = 'abcdefghijklmnopqrstuvwxyz234567';
  return [...randomBytes(10)].map((byte) => characters[byte % characters.length] ?? '').join('');
}

/** Sends a request to the database API of the service under test with the secret key. */
async function sendToDatabase(path: string, init: RequestInit = {}): Promise<Response> {
  const state = JSON.parse(readFileSync(join(getDataDir(), 'state.json'), 'utf8')) as {
    keys: { secret: string };
  };
  const { secret } = state.keys;
  const headers = { apikey: secret, authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const response = await fetch(`${readServiceAddresses().database}/rest/v1/${path}`, { ...init, headers });
  if (!response.ok)
    throw new Error(`The database responded with ${response.status}: ${await response.text()}`);
  return response;
}
