import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '@touchstone/common';
import {
  claimDeliveries,
  recordDeliveries,
  type ClaimedDelivery,
  type DeliveryAttempt,
} from '@touchstone/store';
import { toDisplayResource } from '@touchstone/trust';
import { deliver, toWatchEvent, type Cipher, type Delivery } from '@touchstone/watch';
import { addCounts } from '../add-counts.ts';
import type { PipelineContext } from '../context.ts';
import { formatEndpointPage } from '../pages.ts';
import { isRefusedByHost } from './host-refusal.ts';
import { createPageRefresh, isNewAlert, MAX_REFRESH_MS } from './refresh-alerted-pages.ts';
import { toWatchLinks } from './to-watch.ts';
import type { WatchContext } from './watch-context.ts';

/** External dependencies of the job `deliver`. */
export type DeliverContext = Pick<
  PipelineContext,
  'db' | 'now' | 'owner' | 'watches' | 'onChanged' | 'logError'
>;

/** Interval between two runs in the in-process scheduler, in seconds. */
export const DELIVERY_INTERVAL_SECONDS = 5;
/** Default maximum number of requests in flight per run. */
const MAX_IN_FLIGHT = 64;
/**
 * Duration of the lease of a destination, in seconds. The lease outlasts the timeouts of the claim (30 seconds), of the
 * refresh of pages (10 seconds), of the file of the host (2 seconds) and of one attempt (15 seconds) together, so a
 * destination never has two requests in flight.
 */
const LEASE_SECONDS = 60;
/** Time after which a run claims no further destinations, in milliseconds. */
const MAX_RUN_MS = 45_000;
/** Maximum time between two claims while the run may start further requests, in milliseconds. */
const CLAIM_INTERVAL_MS = 1_000;
/** Maximum time in which finished attempts are collected and then recorded together, in milliseconds. */
const SLICE_MS = 100;
/** Number of finished attempts that are recorded immediately, without waiting for further attempts. */
const SLICE_SIZE = 32;
/** Time without a success after which a destination is disabled: 120 hours. */
const DISABLE_AFTER_SECONDS = 120 * 60 * 60;

/**
 * Result of a run that delivered nothing. Results are logged for the operator, so a result contains only counts and no
 * URL.
 */
export const EMPTY_DELIVER_SUMMARY = {
  /** Number of claimed destinations. A destination counts once for each message. */
  claimed: 0,
  delivered: 0,
  retried: 0,
  /** Number of messages over the daily limit. They are sent later, singly or as a digest. */
  limited: 0,
  /** Number of messages that are given up after the last attempt. */
  exhausted: 0,
  /** Number of destinations that were disabled. */
  disabled: 0,
  /** Number of messages that could not be sent, because their destination or log entry is unreadable. */
  unreadable: 0,
  /** Number of alerts that were sent although the page of their endpoint could not be refreshed. */
  unrefreshed: 0,
};
export type DeliverSummary = Readonly<typeof EMPTY_DELIVER_SUMMARY>;

/** State of a run. */
interface Run {
  /** Maximum number of requests in flight. */
  readonly inFlight: number;
  /** Requests in flight, with the deliveries that they send. */
  readonly running: Map<Promise<void>, ClaimedDelivery>;
  /** Finished attempts that the run has not recorded in the database yet. */
  readonly finished: DeliveryAttempt[];
  total: DeliverSummary;
}

/**
 * Delivers the messages that are due, until no message is due and no request is in flight. After 45 seconds, the run
 * claims no further destinations. Several runs may overlap: a lease allows one request in flight per destination. A new
 * alert keeps its place while the page of its endpoint is refreshed. While places are free, other messages do not wait
 * for pages.
 *
 * A run has one place for each request that may be in flight. While places are free, a message that becomes due during
 * the run is sent within about a second. Receivers that were slow at their last attempt get at most half of the places,
 * so slow receivers delay only each other. A receiver that becomes slow occupies one of the other places for one
 * attempt.
 *
 * If the process dies, the leases expire, and unrecorded messages are sent again with the same ids.
 *
 * @throws StoreError when the database fails, after the requests in flight have ended
 */
export async function deliverEvents(
  context: DeliverContext,
  {
    inFlight = MAX_IN_FLIGHT,
    maxRefreshMs = MAX_REFRESH_MS,
  }: { readonly inFlight?: number; readonly maxRefreshMs?: number } = {},
): Promise<DeliverSummary> {
  const { db, now, watches } = context;
  if (!watches?.cipher) return EMPTY_DELIVER_SUMMARY;
  const sender = { ...watches, cipher: watches.cipher, db, now };
  const run: Run = { inFlight, running: new Map(), finished: [], total: EMPTY_DELIVER_SUMMARY };
  const refreshPages = createPageRefresh(context, maxRefreshMs);
  const until = now() + MAX_RUN_MS;
  try {
    for (;;) {
      const claimed = now() < until ? await claim(context, run) : [];
      const refreshed = refreshPages(claimed.filter(isNewAlert)).then((unrefreshed) => {
        run.total = addCounts(run.total, { unrefreshed });
      });
      for (const delivery of claimed) {
        const ready = isNewAlert(delivery) ? refreshed : Promise.resolve();
        const sent = ready.then(() => sendDelivery(sender, delivery));
        track(run, delivery, sent);
      }
      if (run.running.size === 0 && run.finished.length === 0) return run.total;
      await collectSlice(run);
      await record(context, run);
    }
  } catch (error) {
    // Messages that were sent but are not recorded would be sent again, so the recording is tried once more.
    await Promise.all(run.running.keys());
    await record(context, run).catch(() => undefined);
    throw error;
  }
}

/** Claims due destinations for the free places. */
async function claim(
  { db, now, owner }: DeliverContext,
  { inFlight, running }: Run,
): Promise<readonly ClaimedDelivery[]> {
  const limit = inFlight - running.size;
  if (limit === 0) return [];
  const slowPlaces = Math.max(1, Math.floor(inFlight / 2));
  const slowInFlight = [...running.values()].filter(({ isSlow }) => isSlow).length;
  const slowLimit = Math.max(0, slowPlaces - slowInFlight);
  return claimDeliveries(db, { owner, now: now(), leaseSeconds: LEASE_SECONDS, limit, slowLimit });
}

/** Adds a claimed delivery to the run until its attempt `sent` ends. */
function track(run: Run, delivery: ClaimedDelivery, sent: ReturnType<typeof sendDelivery>): void {
  const sending = sent.then(({ attempt, isUnreadable }) => {
    run.finished.push(attempt);
    run.running.delete(sending);
    if (isUnreadable) run.total = addCounts(run.total, { unreadable: 1 });
  });
  run.running.set(sending, delivery);
  run.total = addCounts(run.total, { claimed: 1 });
}

/** Records the finished attempts. If the recording fails, the attempts stay in the run. */
async function record({ db, now, owner }: DeliverContext, run: Run): Promise<void> {
  const attempts = run.finished.splice(0);
  if (attempts.length === 0) return;
  const options = { owner, now: now(), disableAfterSeconds: DISABLE_AFTER_SECONDS, attempts };
  const counts = await recordDeliveries(db, options).catch((error: unknown) => {
    run.finished.unshift(...attempts);
    throw error;
  });
  run.total = addCounts(run.total, counts);
}

/**
 * Waits for the first finished attempt, and shortly for further attempts, because recording many attempts together
 * costs little more than recording one attempt. Ends after a second without a finished attempt, so that the run can
 * claim messages that became due in the meantime.
 */
async function collectSlice({ running, finished }: Run): Promise<void> {
  if (finished.length === 0) await waitForEnd(running, CLAIM_INTERVAL_MS);
  if (finished.length === 0) return;
  const slice = { isOver: false };
  const end = sleep(SLICE_MS).then(() => {
    slice.isOver = true;
  });
  while (!slice.isOver && running.size > 0 && finished.length < SLICE_SIZE)
    await Promise.race([...running.keys(), end]);
}

/** Waits until a request in flight ends, but at most `ms` milliseconds. */
async function waitForEnd(running: Run['running'], ms: number): Promise<void> {
  const timer = new AbortController();
  const timeout = sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([...running.keys(), timeout]);
  timer.abort();
}

/** External dependencies of one delivery. */
interface DeliverySender extends Pick<WatchContext, 'db' | 'send' | 'baseUrl' | 'now'> {
  readonly cipher: Cipher;
}

/** Delay before the next attempt for a message whose destination or log entry is unreadable: five minutes. */
const UNREADABLE_RETRY_MS = 5 * MINUTE_MS;

/**
 * Decrypts a claimed destination and sends its message. Never rejects: if the destination cannot be decrypted, or its
 * log entry cannot be formatted, the attempt is a failure of this service. Such a failure delays only this destination.
 */
async function sendDelivery(
  sender: DeliverySender,
  claimed: ClaimedDelivery,
): Promise<{ readonly attempt: DeliveryAttempt; readonly isUnreadable: boolean }> {
  const { destinationId, firstSequence, lastSequence } = claimed;
  const delivery = { destinationId, firstSequence, lastSequence };
  const at = sender.now();
  try {
    const result = await sendMessage(sender, claimed);
    return { attempt: { ...result, ...delivery }, isUnreadable: false };
  } catch {
    // The error is not recorded, because it may contain a part of the URL.
    const attempt = {
      ...{ ...delivery, at, durationMs: 0, phase: null, httpStatus: null, reply: null },
      error: 'This service could not read the destination or the event. No request was sent.',
      outcome: 'self-failure' as const,
      nextAttemptAt: at + UNREADABLE_RETRY_MS,
    };
    return { attempt, isUnreadable: true };
  }
}

/** Sends a message, unless the receiver or the watch has its maximum of messages, or the host refuses messages. */
async function sendMessage(
  sender: DeliverySender,
  claimed: ClaimedDelivery,
): Promise<Omit<DeliveryAttempt, 'destinationId' | 'firstSequence' | 'lastSequence'>> {
  const { cipher, now } = sender;
  const unsent = { at: now(), durationMs: 0, phase: null, httpStatus: null, reply: null };
  const { limitedUntil: nextAttemptAt } = claimed;
  if (nextAttemptAt !== null) return { ...unsent, error: 'daily-limit', outcome: 'limited', nextAttemptAt };
  const [url, signingKey] = await Promise.all([
    cipher.decrypt(claimed.url),
    cipher.decrypt(claimed.signingKey),
  ]);
  if (await isRefusedByHost(sender, url))
    return { ...unsent, error: 'refused-by-host', outcome: 'refused', nextAttemptAt: null };
  const { channel, watchId, attempt } = claimed;
  const content = createContent(claimed, sender.baseUrl);
  return deliver(sender.send, {
    ...{ channel, url, signingKey, watchId, attempt, now },
    ...content,
    random: Math.random,
  });
}

/** Creates the events of a delivery, or its digest. */
function createContent(
  { watchId, resource: stored, slug, entries, ...claimed }: ClaimedDelivery,
  baseUrl: string,
): Pick<Delivery, 'events' | 'digest'> {
  const resource = toDisplayResource(stored);
  const { counts, firstSequence, lastSequence, lastAt } = claimed;
  if (counts !== null) {
    const pollUrl = toWatchLinks(watchId, baseUrl).poll_url;
    const digest = { watchId, resource, pollUrl, counts, firstSequence, lastSequence, lastAt };
    return { events: [], digest };
  }
  const endpoint = { watchId, resource, endpointPage: formatEndpointPage(slug, baseUrl) };
  return { events: entries.map((entry) => toWatchEvent(entry, endpoint)) };
}
