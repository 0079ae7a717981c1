import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionTest, DeliveryUrl, WatchChannel } from '@touchstone/contract';
import type { NewDestination } from '@touchstone/store';
import { toDisplayResource } from '@touchstone/trust';
import { testConnection, toChatKind, toUrlLabel, type Cipher } from '@touchstone/watch';
import { limitTests, type Requester } from './request-limits.ts';
import type { WatchContext, WatchProblem } from './watch-context.ts';

/** New delivery URL of a request, with the channel that its messages use. */
export interface NewUrl extends DeliveryUrl {
  readonly channel: WatchChannel;
}

/** Watch for which the URLs are tested, the key that signs the test messages, and the requester of the tests. */
export interface TestedWatch {
  readonly watchId: string;
  readonly resource: string;
  readonly signingKey: string;
  readonly requester: Requester;
}

/** Result of testing the URLs: all of them work, and are encrypted. */
export interface Connected {
  readonly kind: 'connected';
  readonly tests: readonly ConnectionTest[];
  /** Destinations in the order of the URLs. */
  readonly destinations: readonly NewDestination[];
}

/** Returns the new URLs of a request with their channels. The host of a chat URL decides its channel. */
export function toWebhooks(urls: readonly DeliveryUrl[]): readonly NewUrl[] {
  return urls.map((each) => ({ ...each, channel: 'webhook' }));
}

export function toChats(urls: readonly DeliveryUrl[]): readonly NewUrl[] {
  return urls.map((each) => ({ ...each, channel: toChatKind(each.url) }));
}

/**
 * Sends a signed test message to each new URL, all at the same time, and encrypts the URLs. One failed test is a
 * problem, so nothing of the request is stored. Without URLs it does nothing.
 */
export async function connectDestinations(
  context: Pick<WatchContext, 'db' | 'send' | 'now'> & { readonly cipher: Cipher },
  { requester, ...watch }: TestedWatch,
  urls: readonly NewUrl[],
): Promise<Connected | WatchProblem> {
  const limited = await limitTests(
    context,
    requester,
    urls.map(({ url }) => url),
  );
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
