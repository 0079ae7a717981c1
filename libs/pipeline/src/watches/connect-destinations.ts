import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionTest, DeliveryUrl, WatchChannel } from '@touchstone/contract';
import { consumeRateLimit, type NewDestination } from '@touchstone/store';
import { toDisplayResource } from '@touchstone/trust';
import { testConnection, toChatKind, toUrlLabel, type Cipher } from '@touchstone/watch';
import type { WatchContext, WatchProblem } from './watch-context.ts';

/** Maximum number of connection tests per minute of one host, over all watches and processes. */
const MAX_TESTS_PER_MINUTE = 30;
const WINDOW_SECONDS = 60;

/** New delivery URL of a request, with the channel that its messages use. */
export interface NewUrl extends DeliveryUrl {
  readonly channel: WatchChannel;
}

/** Watch for which the URLs are tested, and the key that signs the test messages. */
export interface TestedWatch {
  readonly watchId: string;
  readonly resource: string;
  readonly signingKey: string;
}

/** Result of testing the URLs: all of them work, and are encrypted. */
export interface Connected {
  readonly kind: 'connected';
  readonly tests: readonly ConnectionTest[];
  /** Destinations in the order of the URLs. */
  readonly destinations: readonly NewDestination[];
}

/** Returns the new URLs of a request with their channels. The host of a chat URL decides its channel. */
export const toWebhooks = (urls: readonly DeliveryUrl[]): readonly NewUrl[] =>
  urls.map((each) => ({ ...each, channel: 'webhook' }));
export const toChats = (urls: readonly DeliveryUrl[]): readonly NewUrl[] =>
  urls.map((each) => ({ ...each, channel: toChatKind(each.url) }));

/**
 * Sends a signed test message to each new URL, all at the same time, and encrypts the URLs. One failed test is a
 * problem, so nothing of the request is stored. Without URLs it does nothing.
 */
export async function connectDestinations(
  context: Pick<WatchContext, 'db' | 'send' | 'now'> & { readonly cipher: Cipher },
  watch: TestedWatch,
  urls: readonly NewUrl[],
): Promise<Connected | WatchProblem> {
  const limited = await countTests(context, urls);
  if (limited !== null) return limited;
  const { send, now, cipher } = context;
  const resource = toDisplayResource(watch.resource);
  const tests = await Promise.all(
    urls.map(async ({ url, channel }): Promise<ConnectionTest> => {
      const options = { channel, url, ...watch, resource, now, sleep: (ms: number) => sleep(ms) };
      const { ok, status, ms, error } = await testConnection(send, options);
      return { url: toShownUrl(url, channel), ok, status, ms, error };
    }),
  );
  const unreachable = describeFailures(urls, tests);
  if (unreachable !== null) return unreachable;
  const destinations = await Promise.all(
    urls.map(async ({ url, channel }) => ({
      channel,
      url: await cipher.encrypt(url),
      label: toUrlLabel(url),
    })),
  );
  return { kind: 'connected', tests, destinations };
}

/** Counts the tests of each host, so that nobody can use the tests to send many requests to a host. */
async function countTests(
  { db, now: readTime }: Pick<WatchContext, 'db' | 'now'>,
  urls: readonly NewUrl[],
): Promise<WatchProblem | null> {
  const now = readTime();
  const hosts = Map.groupBy(urls, ({ url }) => new URL(url).hostname);
  const counted = await Promise.all(
    [...hosts].map(async ([host, { length: cost }]) => {
      const limit = { limit: MAX_TESTS_PER_MINUTE, windowSeconds: WINDOW_SECONDS, now };
      return { host, ...(await consumeRateLimit(db, { key: `connection-test:${host}`, cost, ...limit })) };
    }),
  );
  const refused = counted.filter(({ allowed }) => !allowed);
  if (refused.length === 0) return null;
  const retryAfterSeconds = Math.max(1, ...refused.map(({ resetsAt }) => Math.ceil((resetsAt - now) / 1000)));
  const names = refused.map(({ host }) => host).join(', ');
  return {
    kind: 'problem',
    code: 'rate-limited',
    detail: `A host gets at most ${MAX_TESTS_PER_MINUTE} connection tests per minute from all watches together. ${names} reached this limit. Send the request again in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  };
}

function describeFailures(urls: readonly NewUrl[], tests: readonly ConnectionTest[]): WatchProblem | null {
  const errors = urls.flatMap(({ path }, index) => {
    const test = tests[index];
    if (test === undefined || test.ok) return [];
    const cause = test.error ?? `HTTP ${String(test.status)}`;
    return [{ path, message: `The connection test failed: ${cause}.` }];
  });
  if (errors.length === 0) return null;
  const detail = `${errors.length} of ${urls.length} delivery URLs failed the connection test. A URL passes if it responds to a POST with a 2xx status within 5 seconds. Correct the URLs in \`errors\` and send the request again.`;
  return { kind: 'problem', code: 'delivery-unreachable', detail, errors };
}

function toShownUrl(url: string, channel: WatchChannel): string {
  return channel === 'webhook' ? url : toUrlLabel(url);
}
