import { MINUTE_MS, UNKNOWN_CLIENT } from '@touchstone/common';
import { MAX_DAILY_MESSAGES } from '@touchstone/contract';
import { consumeRateLimit } from '@touchstone/store';
import { MAX_TRIES, toReceiver } from '@touchstone/watch';
import { limitCalls } from '../limit-calls.ts';
import { createPauses, type Pauses } from '../pauses.ts';
import { createLimited } from '../problem.ts';
import type { WatchContext, WatchProblem } from './watch-context.ts';

type LimitContext = Pick<WatchContext, 'db' | 'now'>;

/** Payer of a new watch, watch that is edited, or claim with notices, with the client that sent the request. */
export interface Requester {
  readonly kind: 'payer' | 'watch' | 'claim';
  /** Address of the payer, or id of the watch or claim. */
  readonly id: string;
  /** Client that sent the request, such as an IP address. */
  readonly client: string;
}

/** Pauses after failed connection tests, which are not charged. All requests of a process share them. */
export interface TestPauses {
  /** Pauses of payers and watches by kind and id. A request with a failed test is one event. */
  readonly requesters: Pauses;
  /**
   * Pauses of clients. Each URL that failed its test is one event. `UNKNOWN_CLIENT` is never paused, because all buyers
   * without a known address would be paused with it.
   */
  readonly clients: Pauses;
}

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
/** Maximum number of URLs that one payer or one watch can test per minute. */
const MAX_TESTS_PER_REQUESTER = 30;
/**
 * Number of messages to a receiver in 24 hours up to which URLs are tested. A failed test is free, so tests leave half of
 * the messages to watches.
 */
const MAX_DAILY_TESTS = MAX_DAILY_MESSAGES / 2;
/** Duration of a pause, and time in which failed tests are counted, in minutes. */
const PAUSE_MINUTES = 10;
/** Number of requests with failed tests within 10 minutes after which a payer or a watch is paused. */
const MAX_FAILED_REQUESTS = 3;
/** Number of URLs with failed tests within 10 minutes after which a client is paused. */
const MAX_FAILED_URLS_PER_CLIENT = 30;
/** Maximum number of edits of one watch per hour. Each edit that changes something adds an entry to its log. */
const MAX_EDITS_PER_HOUR = 60;

/**
 * Creates the pauses of a process.
 *
 * @param now Returns the current time in milliseconds since the epoch.
 */
export function createTestPauses(now: () => number): TestPauses {
  const durationMs = PAUSE_MINUTES * MINUTE_MS;
  return {
    requesters: createPauses({ maxEvents: MAX_FAILED_REQUESTS, durationMs, now }),
    clients: createPauses({ maxEvents: MAX_FAILED_URLS_PER_CLIENT, durationMs, now }),
  };
}

/** Records the failed tests of a request. @param count number of URLs that failed */
export function recordFailedTests(pauses: TestPauses, { kind, id, client }: Requester, count: number): void {
  if (count === 0) return;
  pauses.requesters.record(`${kind} ${id}`);
  if (client !== UNKNOWN_CLIENT) pauses.clients.record(client, count);
}

/** Returns the problem of a requester that is paused; null without a pause. */
function findPause(pauses: TestPauses, { kind, id, client }: Requester): WatchProblem | null {
  const seconds = pauses.requesters.getSeconds(`${kind} ${id}`);
  if (seconds !== null)
    return createLimited(
      `${MAX_FAILED_REQUESTS} requests for this ${kind} had delivery URLs that failed the connection test within ${PAUSE_MINUTES} minutes.`,
      seconds,
    );
  const clientSeconds = pauses.clients.getSeconds(client);
  if (clientSeconds === null) return null;
  return createLimited(
    `${MAX_FAILED_URLS_PER_CLIENT} delivery URLs from this client address failed the connection test within ${PAUSE_MINUTES} minutes.`,
    clientSeconds,
  );
}

/**
 * Counts the connection tests of a request, unless the requester is paused. The limit of the requester is checked
 * first. A requester that has reached this limit therefore does not use up the messages of receivers.
 *
 * @returns the problem to respond with, or null if the URLs can be tested
 */
export async function limitTests(
  context: LimitContext & Pick<WatchContext, 'testPauses'>,
  requester: Requester,
  urls: readonly string[],
): Promise<WatchProblem | null> {
  if (urls.length === 0) return null;
  const paused = findPause(context.testPauses, requester);
  if (paused !== null) return paused;
  const limited = await limitCalls(context, {
    key: `connection-test:${requester.kind}:${requester.id}`,
    cost: urls.length,
    limit: MAX_TESTS_PER_REQUESTER,
    windowSeconds: MINUTE_SECONDS,
    reason: `At most ${MAX_TESTS_PER_REQUESTER} delivery URLs per minute are tested for one ${requester.kind}.`,
  });
  return limited ?? limitReceivers(context, urls);
}

/** Counts all tries of each URL as messages to its receiver. If one receiver has reached its limit, nothing is counted. */
async function limitReceivers(context: LimitContext, urls: readonly string[]): Promise<WatchProblem | null> {
  for (const [index, url] of urls.entries()) {
    const reason = `At most ${MAX_DAILY_TESTS} test messages in 24 hours are sent to one receiver, which is a domain or a chat, and fewer if it got messages of watches. The test of a URL sends up to ${MAX_TRIES}. The receiver at ${new URL(url).hostname} reached this limit.`;
    const count = { cost: MAX_TRIES, limit: MAX_DAILY_TESTS };
    const limited = await limitCalls(context, { ...toMessageLimit(url, count), reason });
    if (limited === null) continue;
    for (const counted of urls.slice(0, index)) await returnTests(context, counted, MAX_TRIES);
    return limited;
  }
  return null;
}

/** Gives back the messages that the test of a URL did not send. */
export async function returnTests({ db, now }: LimitContext, url: string, count: number): Promise<void> {
  if (count <= 0) return;
  await consumeRateLimit(db, {
    ...toMessageLimit(url, { cost: -count, limit: MAX_DAILY_MESSAGES }),
    now: now(),
  });
}

/** Returns the counter of the messages to the receiver of a URL, in which the database also counts events. */
function toMessageLimit(url: string, count: { readonly cost: number; readonly limit: number }) {
  return { key: `delivery:${toReceiver(url)}`, windowSeconds: 24 * HOUR_SECONDS, ...count };
}

/** Counts an edit of a watch. Returns the problem to respond with, or null if the watch can be edited. */
export function limitEdits(context: LimitContext, watchId: string): Promise<WatchProblem | null> {
  return limitCalls(context, {
    ...{ key: `edit-watch:${watchId}`, limit: MAX_EDITS_PER_HOUR, windowSeconds: HOUR_SECONDS },
    reason: `A watch can be edited at most ${MAX_EDITS_PER_HOUR} times per hour.`,
  });
}
