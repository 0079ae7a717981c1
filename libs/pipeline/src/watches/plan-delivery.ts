import type { ConnectionTest, WatchEdit } from '@touchstone/contract';
import type { DestinationEdit, StoredWatch } from '@touchstone/store';
import type { Cipher } from '@touchstone/watch';
import { connectDestinations, toChats, toWebhooks, type NewUrl } from './connect-destinations.ts';
import { createProblem, WITHOUT_CIPHER, type WatchContext, type WatchProblem } from './watch-context.ts';

/** Tested change of the destinations of a watch. */
export interface DeliveryPlan {
  readonly kind: 'planned';
  /** Complete new lists, each absent if it stays as it is. */
  readonly change: {
    readonly webhooks?: readonly DestinationEdit[];
    readonly chats?: readonly DestinationEdit[];
  };
  /** Connection tests of the new URLs. */
  readonly tests: readonly ConnectionTest[];
}

const KEYS_MISSING = createProblem(
  'watch-unavailable',
  'This service cannot read the signing key of this watch, so it cannot test new delivery URLs. Send the edit without `delivery`, or retry later.',
);

/**
 * Compares the delivery URLs of an edit with those of the watch, and tests the new ones. Stored URLs are encrypted, so
 * they are decrypted for the comparison. A URL that is disabled or cannot be decrypted counts as new, and replaces the
 * stored one.
 */
export async function planDelivery(
  context: Pick<WatchContext, 'db' | 'cipher' | 'send' | 'now'>,
  watch: StoredWatch,
  { webhookUrls, chatUrls }: Pick<WatchEdit, 'webhookUrls' | 'chatUrls'>,
): Promise<DeliveryPlan | WatchProblem> {
  if (webhookUrls === undefined && chatUrls === undefined) return { kind: 'planned', change: {}, tests: [] };
  const { cipher } = context;
  if (cipher === null) return WITHOUT_CIPHER;
  const ids = await readUsableUrls(cipher, watch);
  const wanted = [...toWebhooks(webhookUrls ?? []), ...toChats(chatUrls ?? [])];
  const added = wanted.filter((url) => !ids.has(toUrlKey(url)));
  const connected = await connectAdded({ ...context, cipher }, watch, added);
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
  context: Parameters<typeof connectDestinations>[0],
  { id, resource, signingKey: encrypted }: StoredWatch,
  added: readonly NewUrl[],
): ReturnType<typeof connectDestinations> {
  if (added.length === 0) return { kind: 'connected', tests: [], destinations: [] };
  const signingKey = await context.cipher.decrypt(encrypted).catch(() => null);
  if (signingKey === null) return KEYS_MISSING;
  return connectDestinations(
    context,
    { watchId: id, resource, signingKey, requester: { kind: 'watch', id } },
    added,
  );
}

/** Returns false if the new lists consist of exactly the stored destinations. */
function isChange({ destinations }: StoredWatch, { webhooks, chats }: DeliveryPlan['change']): boolean {
  const replaced = destinations.filter(({ channel }) =>
    channel === 'webhook' ? webhooks !== undefined : chats !== undefined,
  );
  const edits = [...(webhooks ?? []), ...(chats ?? [])];
  return edits.length !== replaced.length || edits.some((edit) => !('id' in edit));
}
