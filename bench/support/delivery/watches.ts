import { createHash } from 'node:crypto';
import { DAY_MS } from '@touchstone/common';
import { WATCH_EVENT_TYPES } from '@touchstone/contract';
import { createWatch, type ClaimedEndpoint, type Db } from '@touchstone/store';
import { createWatchSecret, toUrlLabel, type Cipher } from '@touchstone/watch';
import { buildLeaseSql } from '../catalog.ts';
import { createRecordCall, simulateChallenge } from '../observed-batch.ts';
import type { Session, TimedResult } from '../psql.ts';
import { timeRecording } from '../recording.ts';

/** Active watch with one webhook. */
export interface BenchWatch {
  readonly id: string;
  /** Number of its only destination. */
  readonly destination: number;
  readonly signingKey: string;
  readonly resource: string;
}

const NETWORK = 'eip155:8453';
const PAYER = '0xbench';

/** Payments of all watches, in the state before the settlement, and then settled as a request does. */
const buildSettlementSql = (at: string): string => `
  insert into public.payments (
    network, asset, payer, nonce, route, request_hash, payment_hash, resource, pay_to, amount, valid_before, state,
    owner, lease_until, result, created_at
  )
  select network, asset, payer, nonce, 'POST /v1/watch-endpoint-30d', '', '', '', '', 200000, '${at}', 'settling',
    '', '${at}', '{}', '${at}'
  from public.watch_purchases where applied_at is null;
  update public.payments set state = 'settled', settled_at = '${at}' where state = 'settling'`;

/** Creates an active watch with one webhook for each endpoint, in the way of a purchase. */
export async function createWatches(
  { session, db, cipher }: { readonly session: Session; readonly db: Db; readonly cipher: Cipher },
  endpoints: readonly ClaimedEndpoint[],
  { toUrl, at }: { readonly toUrl: (destination: number) => string; readonly at: number },
): Promise<readonly BenchWatch[]> {
  const watches: BenchWatch[] = [];
  for (const [destination, { endpointId, resource }] of endpoints.entries()) {
    const { id, signingKey, secretHash } = createWatchSecret();
    const url = toUrl(destination);
    await createWatch(db, {
      ...{ id, endpointId, secretHash, events: WATCH_EVENT_TYPES, livenessSensitivityN: 2 },
      signingKey: await cipher.encrypt(signingKey),
      destinations: [{ channel: 'webhook', url: await cipher.encrypt(url), label: toUrlLabel(url) }],
      payment: { network: NETWORK, asset: '0xusdc', payer: PAYER, nonce: id },
      now: at,
      expiresAt: at + 30 * DAY_MS,
    });
    watches.push({ id, destination, signingKey, resource });
  }
  await session.run(buildSettlementSql(new Date(at).toISOString()));
  return watches;
}

/** Returns a wallet address, by its number. */
function createWallet(number: number): string {
  return `0x${createHash('sha256').update(String(number)).digest('hex').slice(0, 40)}`;
}

/**
 * Records one probe of each endpoint at the time `at`. Each version of the payment terms differs from the previous one
 * in exactly one point: an odd version has another price, and an even version another wallet.
 */
export async function recordTerms(
  session: Session,
  endpoints: readonly ClaimedEndpoint[],
  { version, at }: { readonly version: number; readonly at: number },
): Promise<TimedResult> {
  const slots = endpoints.map((endpoint) => ({ ...endpoint, slotAt: at }));
  const shape = {
    amount: 10_000 + Math.ceil(version / 2),
    payTo: createWallet(Math.floor(version / 2)),
  };
  const call = await createRecordCall(slots, at, (url) => simulateChallenge(url, shape));
  await session.run(buildLeaseSql('bench', at, slots));
  return timeRecording(session, call);
}
