import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStartedEntry, type StartedEntry } from './service-log.ts';

interface ServiceAddresses extends Pick<StartedEntry, 'database'> {
  readonly chains: NonNullable<StartedEntry['chains']>;
  /** URL of the page with the alerts of watches. */
  readonly receiver: string;
}

const getDataDir = (): string => process.env['TOUCHSTONE_DATA_DIR'] ?? '';

/**
 * Returns the addresses of the database, the chains and the receiver of the service under test. Throws if the service has
 * no chains.
 *
 * @param dataDir data folder of the service; the default is that of the shared service
 */
export function readServiceAddresses(dataDir: string = getDataDir()): ServiceAddresses {
  const { database, chains, receiver } = readStartedEntry(dataDir);
  if (chains === null || receiver === null) throw new Error('The service under test has no chains');
  return { database, chains, receiver };
}

/** Reads the private key of the demo wallet, which has sandbox USDC. */
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

/**
 * Reads the rows of the payments table by transaction hash. The filter is `like`, because the embedded database API
 * parses `eq.0x…` as a number.
 */
export async function readPaymentRows(transaction: string): Promise<readonly LedgerRow[]> {
  const response = await sendToDatabase(`payments?transaction=like.${transaction}`);
  // The migrations define the columns of this table, so the cast is safe.
  return (await response.json()) as LedgerRow[];
}

/**
 * Stores an endpoint that was removed on request. The operator does this with SQL; the service has no operation for it.
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
