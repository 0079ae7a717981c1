import { setTimeout as sleep } from 'node:timers/promises';
import {
  REFUSAL_FILE,
  type ConnectionTest,
  type DeliveryUrl,
  type WatchChannel,
  type WatchEdit,
} from '@touchstone/contract';
import type { DestinationEdit, NewDestination, StoredWatch } from '@touchstone/store';
import { toDisplayResource } from '@touchstone/trust';
import {
  INVALID_URL,
  MAX_TRIES,
  NO_RESPONSE,
  testConnection,
  toChatKind,
  TOO_MANY_CONNECTIONS,
  toReceiver,
  toUrlLabel,
  type Cipher,
} from '@touchstone/watch';
import { MAX_CONNECTIONS_PER_ADDRESS } from './address-limit.ts';
import { isRefusedByHost } from './host-refusal.ts';
import { limitTests, recordFailedTests, returnTests, type Requester } from './request-limits.ts';
import { createLimited, createOperationProblem } from '../problem.ts';
import { WITHOUT_CIPHER, type WatchContext, type WatchProblem } from './watch-context.ts';

/** External dependencies of connection tests. */
type TestContext = Pick<WatchContext, 'db' | 'send' | 'baseUrl' | 'now' | 'testPauses'>;

/** New delivery URL of a request, with the channel that its messages use. */
interface NewUrl extends DeliveryUrl {
  readonly channel: WatchChannel;
}

/** Watch whose URLs are tested, with the key that signs the test messages, and the requester of the tests. */
interface TestedWatch {
  readonly watchId: string;
  readonly resource: string;
  readonly signingKey: string;
  readonly requester: Requester;
}

/** Result of a test in which all URLs work. The destinations contain the encrypted URLs. */
export interface Connected {
  readonly kind: 'connected';
  readonly tests: readonly ConnectionTest[];
  /** Destinations in the order of the URLs. */
  readonly destinations: readonly NewDestination[];
}

/** Returns the new URLs of a request with their channels. Host and path of a chat URL decide its channel. */
export function toWebhooks(urls: readonly DeliveryUrl[]): readonly NewUrl[] {
  return urls.map((each) => ({ ...each, channel: 'webhook' }));
}

export function toChats(urls: readonly DeliveryUrl[]): readonly NewUrl[] {
  return urls.map((each) => ({ ...each, channel: toChatKind(each.url) }));
}

/**
 * Sends a signed test message to each new URL, all at the same time, and encrypts the URLs. One failed test is a
 * problem, so nothing of the request is stored. Without URLs, the function does nothing.
 */
export async function connectDestinations(
  context: TestContext & { readonly cipher: Cipher },
  { requester, ...watch }: TestedWatch,
  urls: readonly NewUrl[],
): Promise<Connected | WatchProblem> {
  const limited = await limitTests(
    context,
    requester,
    urls.map(({ url }) => url),
  );
  if (limited !== null) return limited;
  const { send, now, cipher, baseUrl } = context;
  const resource = toDisplayResource(watch.resource);
  const refusals = new Map<string, Promise<boolean>>();
  const tests = await Promise.all(
    urls.map(async ({ url, channel }): Promise<ConnectionTest> => {
      const startedAt = now();
      const { origin } = new URL(url);
      const refusal = refusals.get(origin) ?? isRefusedByHost(context, url, { isTest: true });
      refusals.set(origin, refusal);
      if (await refusal) {
        await returnTests(context, url, MAX_TRIES);
        return { url: toShownUrl(url, channel), ok: false, status: null, ms: 0, error: 'refused-by-host' };
      }
      const clock = { now, startedAt, sleep: (ms: number) => sleep(ms) };
      const options = { channel, url, ...watch, resource, baseUrl, ...clock };
      const { ok, status, ms, error, messages } = await testConnection(send, options);
      await returnTests(context, url, MAX_TRIES - messages);
      return { url: toShownUrl(url, channel), ok, status, ms, error };
    }),
  );
  const failed = tests.filter((test) => !test.ok && !isLimited(test));
  recordFailedTests(context.testPauses, requester, failed.length);
  const unreachable = describeFailures(urls, tests);
  if (unreachable !== null) return unreachable;
  if (tests.some(isLimited)) return ADDRESS_LIMITED;
  const destinations = await Promise.all(
    urls.map(async ({ url, channel }) => ({
      channel,
      url: await cipher.encrypt(url),
      label: toUrlLabel(url),
      receiver: toReceiver(url),
    })),
  );
  return { kind: 'connected', tests, destinations };
}

const ADDRESS_LIMITED = createLimited(
  `Connection tests open at most ${MAX_CONNECTIONS_PER_ADDRESS} connections to one address per minute, and the address of a delivery URL reached this limit.`,
  60,
);

function isLimited({ error }: ConnectionTest): boolean {
  return error === TOO_MANY_CONNECTIONS;
}

/** Sentences about errors whose names do not say what to do. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  'not-accepted':
    ' The chat refused the message, or a web page responded. Send the URL of an incoming webhook that accepts the format of Slack or Discord.',
  [INVALID_URL]: ' Clients send no request to this port. Send a URL with another port.',
  [NO_RESPONSE]:
    ' Check that the host name resolves to a public address, and that the server accepts https requests from the internet, responds within 5 seconds, and has a valid certificate for the host name.',
  'refused-by-host': ` The host refuses messages of watches: its file ${REFUSAL_FILE.path} has the line \`${REFUSAL_FILE.line}\`. Send another URL.`,
  'github-only-url':
    ' At this URL, Discord shows only events of GitHub. Remove `/github` from the end of the URL.',
};

/** Describes the failed tests. Null without any, also if the limit of an address ended a test. */
function describeFailures(urls: readonly NewUrl[], tests: readonly ConnectionTest[]): WatchProblem | null {
  const errors = urls.flatMap(({ path }, index) => {
    const test = tests[index];
    if (test === undefined || test.ok || isLimited(test)) return [];
    const cause = test.error ?? `HTTP ${String(test.status)}`;
    const explanation = EXPLANATIONS[cause] ?? '';
    return [{ path, message: `The connection test failed: ${cause}.${explanation}` }];
  });
  if (errors.length === 0) return null;
  const detail = `${errors.length} of ${urls.length} delivery URLs failed the connection test. A URL passes if it responds to a POST with a 2xx status within 5 seconds. A chat must also accept the message. Correct the URLs in \`errors\` and send the request again.`;
  return { ...createOperationProblem('delivery-unreachable', detail), errors };
}

function toShownUrl(url: string, channel: WatchChannel): string {
  return channel === 'webhook' ? url : toUrlLabel(url);
}

/** Tested change of the destinations of a watch. */
interface DeliveryPlan {
  readonly kind: 'planned';
  /** Complete new lists of destinations; a list without a change is absent. */
  readonly change: {
    readonly webhooks?: readonly DestinationEdit[];
    readonly chats?: readonly DestinationEdit[];
  };
  /** Connection tests of the new URLs. */
  readonly tests: readonly ConnectionTest[];
}

const KEYS_MISSING = createOperationProblem(
  'watch-unavailable',
  'This service cannot read the signing key of this watch, so it cannot test new delivery URLs. Send the edit without `delivery`, or retry later.',
);

/** Edit of delivery URLs, with the client that sent the edit. */
interface DeliveryEdit extends Pick<Requester, 'client'> {
  readonly edit: Pick<WatchEdit, 'webhookUrls' | 'chatUrls'>;
}

/**
 * Compares the delivery URLs of an edit with the stored URLs of the watch, and tests the new URLs. Stored URLs are
 * decrypted for the comparison. A URL that is disabled or cannot be decrypted counts as new, and replaces the stored
 * URL.
 */
export async function planDelivery(
  context: TestContext & Pick<WatchContext, 'cipher'>,
  watch: StoredWatch,
  { edit: { webhookUrls, chatUrls }, client }: DeliveryEdit,
): Promise<DeliveryPlan | WatchProblem> {
  if (webhookUrls === undefined && chatUrls === undefined) return { kind: 'planned', change: {}, tests: [] };
  const { cipher } = context;
  if (cipher === null) return WITHOUT_CIPHER;
  const ids = await readUsableUrls(cipher, watch);
  const wanted = [...toWebhooks(webhookUrls ?? []), ...toChats(chatUrls ?? [])];
  const added = wanted.filter((url) => !ids.has(toUrlKey(url)));
  const requester = { kind: 'watch', id: watch.id, client } as const;
  const connected = await connectAdded({ ...context, cipher, requester }, watch, added);
  if (connected.kind === 'problem') return connected;
  const toEdit = (url: NewUrl): readonly DestinationEdit[] => {
    const id = ids.get(toUrlKey(url));
    if (id !== undefined) return [{ id }];
    return connected.destinations.slice(added.indexOf(url)).slice(0, 1);
  };
  const list = (isWebhook: boolean): readonly DestinationEdit[] =>
    wanted.filter(({ channel }) => (channel === 'webhook') === isWebhook).flatMap(toEdit);
  const change = {
    ...(webhookUrls === undefined ? {} : { webhooks: list(true) }),
    ...(chatUrls === undefined ? {} : { chats: list(false) }),
  };
  return { kind: 'planned', change: isChange(watch, change) ? change : {}, tests: connected.tests };
}

/** Key of a URL among the destinations of a watch. The same URL may be a webhook and a chat. */
function toUrlKey({ channel, url }: Pick<NewUrl, 'channel' | 'url'>): string {
  return `${channel} ${url}`;
}

/** Decrypts the enabled destinations. Returns their ids by URL. */
async function readUsableUrls(
  cipher: Cipher,
  { destinations }: StoredWatch,
): Promise<ReadonlyMap<string, number>> {
  const enabled = destinations.filter(({ disabledAt }) => disabledAt === null);
  const read = await Promise.allSettled(
    enabled.map(async ({ id, channel, url: encrypted }) => {
      const key = toUrlKey({ channel, url: await cipher.decrypt(encrypted) });
      return [key, id] as const;
    }),
  );
  return new Map(read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
}

async function connectAdded(
  { requester, ...context }: Parameters<typeof connectDestinations>[0] & { readonly requester: Requester },
  { id, resource, signingKey: encrypted }: StoredWatch,
  added: readonly NewUrl[],
): ReturnType<typeof connectDestinations> {
  if (added.length === 0) return { kind: 'connected', tests: [], destinations: [] };
  const signingKey = await context.cipher.decrypt(encrypted).catch(() => null);
  if (signingKey === null) return KEYS_MISSING;
  return connectDestinations(context, { watchId: id, resource, signingKey, requester }, added);
}

/** Returns false if the new lists consist of exactly the stored destinations. */
function isChange({ destinations }: StoredWatch, { webhooks, chats }: DeliveryPlan['change']): boolean {
  const replaced = destinations.filter(({ channel }) =>
    channel === 'webhook' ? webhooks !== undefined : chats !== undefined,
  );
  const edits = [...(webhooks ?? []), ...(chats ?? [])];
  return edits.length !== replaced.length || edits.some((edit) => !('id' in edit));
}
