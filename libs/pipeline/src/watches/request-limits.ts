import { consumeRateLimit } from '@touchstone/store';
import { isDiscordUrl } from '@touchstone/watch';
import { createLimited } from '../problem.ts';
import type { WatchContext, WatchProblem } from './watch-context.ts';

type LimitContext = Pick<WatchContext, 'db' | 'now'>;

/** Payer of a new watch, or the id of the watch that is edited. */
export type Requester =
  | { readonly kind: 'payer'; readonly payer: string }
  | { readonly kind: 'watch'; readonly id: string };

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
/** Maximum number of URLs that one payer or one watch can test per minute. */
const MAX_TESTS_PER_REQUESTER = 30;
/** Maximum number of URLs of one host that all requesters together can test per minute. */
const MAX_TESTS_PER_HOST = 60;
/** Maximum number of edits of one watch per hour. Each edit that changes something adds an entry to its log. */
const MAX_EDITS_PER_HOUR = 60;
/** Host of the webhooks of Slack. */
const SLACK_HOST = 'hooks.slack.com';

/**
 * Counts the connection tests of a request. The limit of the requester is checked first. A requester that has reached
 * this limit therefore does not use up the limits of hosts. Slack and Discord have no limit per host, because most
 * chats use the hosts of Slack and Discord. One requester could exhaust such a limit for all other requesters.
 *
 * @returns the problem to respond with, or null if the URLs can be tested
 */
export async function limitTests(
  context: LimitContext,
  requester: Requester,
  urls: readonly string[],
): Promise<WatchProblem | null> {
  if (urls.length === 0) return null;
  const id = requester.kind === 'payer' ? requester.payer : requester.id;
  const seconds = await consume(context, {
    key: `connection-test:${requester.kind}:${id}`,
    cost: urls.length,
    limit: MAX_TESTS_PER_REQUESTER,
    windowSeconds: MINUTE_SECONDS,
  });
  if (seconds === null) return limitHosts(context, urls);
  return createLimited(
    `At most ${MAX_TESTS_PER_REQUESTER} delivery URLs per minute are tested for one ${requester.kind}.`,
    seconds,
  );
}

async function limitHosts(context: LimitContext, urls: readonly string[]): Promise<WatchProblem | null> {
  const hosts = Map.groupBy(urls.filter(isHostLimited), toHost);
  for (const [host, { length: cost }] of hosts) {
    const limit = { limit: MAX_TESTS_PER_HOST, windowSeconds: MINUTE_SECONDS };
    const seconds = await consume(context, { key: `connection-test:host:${host}`, cost, ...limit });
    if (seconds === null) continue;
    const reason = `At most ${MAX_TESTS_PER_HOST} delivery URLs per minute are tested on one host, for all watches together. ${host} reached this limit.`;
    return createLimited(reason, seconds);
  }
  return null;
}

function isHostLimited(url: string): boolean {
  return toHost(url) !== SLACK_HOST && !isDiscordUrl(url);
}

/** Returns the host of a URL. `example.com.` with a dot at its end is the same host as `example.com`. */
function toHost(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}

/** Counts an edit of a watch. Returns the problem to respond with, or null if the watch can be edited. */
export async function limitEdits(context: LimitContext, watchId: string): Promise<WatchProblem | null> {
  const limit = { limit: MAX_EDITS_PER_HOUR, windowSeconds: HOUR_SECONDS };
  const seconds = await consume(context, { key: `edit-watch:${watchId}`, cost: 1, ...limit });
  if (seconds === null) return null;
  return createLimited(`A watch can be edited at most ${MAX_EDITS_PER_HOUR} times per hour.`, seconds);
}

/**
 * Counts a request. Returns the number of seconds until the request can be sent again, or null if the request is
 * allowed.
 */
async function consume(
  { db, now: readTime }: LimitContext,
  limit: Omit<Parameters<typeof consumeRateLimit>[1], 'now'>,
): Promise<number | null> {
  const now = readTime();
  const { allowed, resetsAt } = await consumeRateLimit(db, { ...limit, now });
  return allowed ? null : Math.max(1, Math.ceil((resetsAt - now) / 1000));
}
