import { DAY_MS } from '@touchstone/common';
import { OPERATIONS, WATCH_EVENT_TYPES } from '@touchstone/contract';
import {
  claimPayment,
  createRenewal,
  createWatch,
  findWatch,
  readWatchLog,
  settlePayment,
  storePaymentResult,
  type ListedEndpoint,
  type NewDestination,
  type PaymentClaim,
  type StoredWatch,
} from '../index.ts';
import type { LogEntry } from '../watches/watch-log.ts';
import type { NewWatch } from '../watches/watches.ts';
import { makeEndpoint, T0, type TestDatabase } from './fixtures.ts';

let number = 0;

/** Returns a different text of `length` base32 characters on each call. */
function makeBase32(length: number): string {
  number += 1;
  const letters = [...number.toString(26)].map(
    (digit) => 'abcdefghijklmnopqrstuvwxyz'[Number.parseInt(digit, 26)],
  );
  return letters.join('').padStart(length, 'a');
}

export function makeWatchId(): string {
  return `w_${makeBase32(26)}`;
}

const toRoute = (operationId: string): string => {
  const operation = OPERATIONS.find(({ id }) => id === operationId);
  if (!operation) throw new Error(`There is no operation ${operationId}.`);
  return `${operation.method} ${operation.path}`;
};
/** Routes of the paid operations, as the seller stores them with a payment. */
const CREATE_ROUTE = toRoute('createWatch');
export const RENEW_ROUTE = toRoute('renewWatch');

/** Returns the claim of a different payment on each call. */
export function makePayment(extra: Partial<PaymentClaim> = {}): PaymentClaim {
  return {
    network: 'eip155:8453',
    asset: '0xusdc',
    payer: `0xpayer${makeBase32(8)}`,
    nonce: `0x${makeBase32(8)}`,
    route: CREATE_ROUTE,
    requestHash: 'request',
    paymentHash: 'payment',
    secretHash: 'secret',
    resource: 'https://watched.example.com/',
    payTo: '0xshop',
    amount: 200_000n,
    validBefore: T0 + 300_000,
    owner: 'request 1',
    ...extra,
  };
}

export function makeDestination(
  label: string,
  channel: NewDestination['channel'] = 'webhook',
): NewDestination {
  return { channel, url: `encrypted ${label}`, label, receiver: label };
}

export type WatchOptions = Partial<Omit<NewWatch, 'id' | 'payment'>>;

/** Returns test actions on watches of a database. */
export function openWatches(database: TestDatabase) {
  const addEndpoint = async (extra: Partial<ListedEndpoint> = {}): Promise<string> => {
    const id = makeBase32(10);
    await database.discover(`watches ${id}`, T0, [makeEndpoint(id, extra)]);
    return id;
  };
  const claim = (payment: PaymentClaim, now: number) =>
    claimPayment(database.db, payment, { now, leaseSeconds: 30 });
  const settle = async (payment: PaymentClaim, now: number): Promise<void> => {
    await storePaymentResult(database.db, payment, { result: 'result', now, leaseSeconds: 30 });
    await settlePayment(database.db, payment, {
      transaction: '0xhash',
      receipt: 'receipt',
      audited: false,
      now,
    });
  };
  /** Claims a payment and creates its pending watch. */
  const prepare = async (endpointId: string, options: WatchOptions = {}) => {
    const { now = T0 } = options;
    const payment = makePayment();
    const id = makeWatchId();
    await claim(payment, now);
    const isCreated = await createWatch(database.db, makeWatch(id, endpointId, { ...options, payment }));
    return { id, payment, isCreated };
  };
  /** Buys a watch. Returns its id. */
  const buy = async (endpointId: string, options: WatchOptions = {}): Promise<string> => {
    const { id, payment } = await prepare(endpointId, options);
    await settle(payment, options.now ?? T0);
    return id;
  };
  const renew = async (id: string, now: number): Promise<void> => {
    const payment = makePayment({ route: RENEW_ROUTE });
    await claim(payment, now);
    await createRenewal(database.db, { id, payment, now });
    await settle(payment, now);
  };
  const find = async (id: string): Promise<StoredWatch> => {
    const watch = await findWatch(database.db, id);
    if (!watch) throw new Error(`There is no watch ${id}.`);
    return watch;
  };
  /** Returns all log entries of a watch, oldest first. */
  const readLog = async (id: string): Promise<LogEntry[]> => {
    const page = await readWatchLog(database.db, {
      watchId: id,
      alertsAfter: 0,
      lifecycleAfter: 0,
      limit: 10_000,
    });
    return [...page.alerts, ...page.lifecycle].toSorted((a, b) => a.sequence - b.sequence);
  };
  const readTypes = async (id: string): Promise<string[]> => (await readLog(id)).map(({ type }) => type);
  const readAlerts = async (id: string): Promise<string[]> =>
    (await readLog(id)).filter(({ kind }) => kind === 'alert').map(({ type }) => type);
  return { addEndpoint, claim, settle, prepare, buy, renew, find, readLog, readTypes, readAlerts };
}

export function makeWatch(
  id: string,
  endpointId: string,
  extra: WatchOptions & Pick<NewWatch, 'payment'>,
): NewWatch {
  const { now = T0 } = extra;
  return {
    id,
    endpointId,
    secretHash: `hash of ${id}`,
    signingKey: `key of ${id}`,
    events: WATCH_EVENT_TYPES,
    livenessSensitivityN: 2,
    destinations: [],
    now,
    expiresAt: now + 30 * DAY_MS,
    ...extra,
  };
}
