import { setTimeout as sleep } from 'node:timers/promises';
import {
  claimDeliveries,
  recordDeliveries,
  type ClaimedDelivery,
  type DeliveryAttempt,
} from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import { sendDelivery } from './send-delivery.ts';

/** External dependencies of the job `deliver`. */
export type DeliverContext = Pick<PipelineContext, 'db' | 'now' | 'owner' | 'watches'>;

/** Result of a run, which is logged for the operator. It contains only counts. */
export interface DeliverSummary {
  /** Number of claimed destinations. A destination counts once for each message. */
  readonly claimed: number;
  readonly delivered: number;
  readonly retried: number;
  /** Number of messages that are given up after the last attempt. */
  readonly exhausted: number;
  /** Number of destinations that were disabled. */
  readonly disabled: number;
  /** Number of messages that could not be sent, because their destination or log entry is unreadable. */
  readonly unreadable: number;
}

export const EMPTY_DELIVER_SUMMARY: DeliverSummary = {
  claimed: 0,
  delivered: 0,
  retried: 0,
  exhausted: 0,
  disabled: 0,
  unreadable: 0,
};

/** Interval between two runs in the in-process scheduler, in seconds. */
export const DELIVERY_INTERVAL_SECONDS = 5;
/** Default maximum number of requests in flight per run. */
const MAX_IN_FLIGHT = 64;
/**
 * Duration of the lease of a destination, in seconds. It exceeds the timeouts of the claim (30 seconds) and of one
 * attempt (15 seconds) together, so a destination never has two requests in flight.
 */
const LEASE_SECONDS = 60;
/** Time after which a run claims nothing more, in milliseconds. */
const MAX_RUN_MS = 45_000;
/** Maximum time in which finished attempts are collected and then recorded together, in milliseconds. */
const SLICE_MS = 100;
/** Number of finished attempts that are recorded at once, without waiting for more. */
const SLICE_SIZE = 32;
/** Time without a success after which a destination is disabled: 120 hours. */
const DISABLE_AFTER_SECONDS = 120 * 60 * 60;

/**
 * Delivers the messages that are due, until nothing is due or 45 seconds have passed. Two runs may overlap: a lease
 * allows one request in flight per destination.
 *
 * If the process dies, the leases expire, and unrecorded messages are sent again with the same ids.
 *
 * @throws StoreError when the database fails, after the requests in flight have ended
 */
export function deliverEvents(
  context: DeliverContext,
  { inFlight = MAX_IN_FLIGHT }: { readonly inFlight?: number } = {},
): Promise<DeliverSummary> {
  const until = context.now() + MAX_RUN_MS;
  return drain(context, { inFlight, mayClaim: () => context.now() < until });
}

/** Claims at most 64 destinations and delivers one message to each of them. */
export function deliverBatch(context: DeliverContext): Promise<DeliverSummary> {
  let claims = 0;
  const mayClaim = (): boolean => {
    claims += 1;
    return claims === 1;
  };
  return drain(context, { inFlight: MAX_IN_FLIGHT, mayClaim });
}

/** Adds the counts of two runs. */
export function addDeliverSummaries(one: DeliverSummary, other: DeliverSummary): DeliverSummary {
  return {
    claimed: one.claimed + other.claimed,
    delivered: one.delivered + other.delivered,
    retried: one.retried + other.retried,
    exhausted: one.exhausted + other.exhausted,
    disabled: one.disabled + other.disabled,
    unreadable: one.unreadable + other.unreadable,
  };
}

interface DrainOptions {
  readonly inFlight: number;
  /** Returns true while the run may claim more destinations. */
  readonly mayClaim: () => boolean;
}

/**
 * Keeps at most `inFlight` requests in flight. Finished attempts are recorded in slices, and free places are claimed
 * again after each slice. So slow receivers delay neither the other receivers nor their records.
 */
async function drain(context: DeliverContext, { inFlight, mayClaim }: DrainOptions): Promise<DeliverSummary> {
  const { db, now, owner, watches } = context;
  if (!watches?.cipher) return EMPTY_DELIVER_SUMMARY;
  const sender = { ...watches, cipher: watches.cipher, now };
  const running = new Set<Promise<void>>();
  const finished: DeliveryAttempt[] = [];
  let total = EMPTY_DELIVER_SUMMARY;
  const start = (claimed: ClaimedDelivery): void => {
    const sending = sendDelivery(sender, claimed).then(({ attempt, isUnreadable }) => {
      finished.push(attempt);
      running.delete(sending);
      if (isUnreadable) total = { ...total, unreadable: total.unreadable + 1 };
    });
    running.add(sending);
  };
  const record = async (): Promise<void> => {
    const attempts = finished.splice(0);
    const options = { owner, now: now(), disableAfterSeconds: DISABLE_AFTER_SECONDS, attempts };
    total = addDeliverSummaries(total, {
      ...EMPTY_DELIVER_SUMMARY,
      ...(await recordDeliveries(db, options)),
    });
  };
  try {
    for (;;) {
      const limit = inFlight - running.size;
      const claimed =
        limit > 0 && mayClaim()
          ? await claimDeliveries(db, { owner, now: now(), leaseSeconds: LEASE_SECONDS, limit })
          : [];
      total = { ...total, claimed: total.claimed + claimed.length };
      claimed.forEach(start);
      if (running.size === 0 && finished.length === 0) return total;
      await collectSlice(running, finished);
      await record();
    }
  } catch (error) {
    // Messages that were sent but are not recorded would be sent again, so the record is tried once more.
    await Promise.all(running);
    if (finished.length > 0) await record().catch(() => undefined);
    throw error;
  }
}

/** Waits for the first finished attempt, and shortly for further ones: a record of many attempts costs little more. */
async function collectSlice(
  running: ReadonlySet<Promise<void>>,
  finished: readonly DeliveryAttempt[],
): Promise<void> {
  if (finished.length === 0) await Promise.race(running);
  const slice = { isOver: false };
  const end = sleep(SLICE_MS).then(() => {
    slice.isOver = true;
  });
  while (!slice.isOver && running.size > 0 && finished.length < SLICE_SIZE)
    await Promise.race([...running, end]);
}
