import { WATCH_EVENT_TYPES, type WatchEventType } from '../../events/watch-event-table.ts';
import {
  LIVENESS_SENSITIVITY,
  MAX_DELIVERY_URLS,
  MAX_DELIVERY_URL_CHARS,
} from '../../shared/watch-constants.ts';
import { EVENT_ID_PATTERN, WATCH_ID_EXAMPLE, formatEventId, watchIdSchema } from './watch-ids.ts';
import {
  DELIVERY_URL_EXPECTATION,
  DELIVERY_URL_PATTERN,
  explainDeliveryUrl,
  normalizeDeliveryUrl,
} from './delivery-url.ts';
import { createWholeNumber, requestedResource } from '../../shared/requests.ts';
import { z } from 'zod';

/** Schema of a delivery URL. */
export const deliveryUrl = z
  .string({ error: DELIVERY_URL_EXPECTATION })
  .refine((text) => explainDeliveryUrl(text) === null, {
    error: ({ input }) =>
      (typeof input === 'string' ? explainDeliveryUrl(input) : null) ?? DELIVERY_URL_EXPECTATION,
    // The URLs of chats are secrets, so error messages do not contain these URLs.
    params: { isSecret: true },
  })
  .meta({ maxLength: MAX_DELIVERY_URL_CHARS, pattern: DELIVERY_URL_PATTERN });

const LIST_EXPECTATION = `must be a list of at most ${String(MAX_DELIVERY_URLS)} URLs`;

/** Creates the schema of a member of `delivery`: one URL, or a list of URLs. */
function createUrls(description: string) {
  return z
    .union([deliveryUrl, z.array(deliveryUrl).max(MAX_DELIVERY_URLS, { error: LIST_EXPECTATION })], {
      error: `must be an https URL, or a list of at most ${String(MAX_DELIVERY_URLS)} https URLs`,
    })
    .exactOptional()
    .describe(description);
}

/** Members of `delivery` for each kind of delivery URL. Each kind has two members. */
const DELIVERY_MEMBERS = {
  webhook: ['webhook_url', 'webhook_urls'],
  chat: ['slack_url', 'slack_urls'],
} as const;

const deliveryMembers = z.strictObject({
  webhook_url: createUrls('Signed webhooks: one https URL on a public host, or a list.'),
  webhook_urls: createUrls('More signed webhooks; at most 5 together with webhook_url.'),
  slack_url: createUrls('Incoming webhooks of Slack or Discord: one https URL, or a list.'),
  slack_urls: createUrls('More incoming webhooks; at most 5 together with slack_url.'),
});

export interface DeliveryUrl {
  /** The normalized URL. */
  readonly url: string;
  /** Path of the URL in the request body, for error messages, such as `delivery.webhook_urls.0`. */
  readonly path: string;
}

/** Returns the delivery URLs of one kind, without duplicates; undefined when the request has no member of the kind. */
function listDeliveryUrls(
  delivery: z.infer<typeof deliveryMembers>,
  kind: keyof typeof DELIVERY_MEMBERS,
): readonly DeliveryUrl[] | undefined {
  const given = DELIVERY_MEMBERS[kind].flatMap((name) => {
    const value = delivery[name];
    return value === undefined ? [] : [{ name, value }];
  });
  if (given.length === 0) return undefined;
  const urls = given.flatMap(({ name, value }) =>
    typeof value === 'string'
      ? [{ url: normalizeDeliveryUrl(value), path: `delivery.${name}` }]
      : value.map((url, at) => ({ url: normalizeDeliveryUrl(url), path: `delivery.${name}.${String(at)}` })),
  );
  return urls.filter(({ url }, at) => urls.findIndex((other) => other.url === url) === at);
}

const delivery = deliveryMembers.superRefine((value, context) => {
  for (const kind of ['webhook', 'chat'] as const) {
    const [first, second] = DELIVERY_MEMBERS[kind];
    if ((listDeliveryUrls(value, kind)?.length ?? 0) <= MAX_DELIVERY_URLS) continue;
    const message = `must be a list of at most ${String(MAX_DELIVERY_URLS)} different URLs together with \`${first}\``;
    context.addIssue({ code: 'custom', path: [second], message, input: value[second] });
  }
});

const EVENTS_EXPECTATION = 'must be a list of at least 1 type of event, each at most once';

const events = z
  .array(z.enum(WATCH_EVENT_TYPES), { error: EVENTS_EXPECTATION })
  .refine((types) => types.length > 0 && new Set(types).size === types.length, {
    error: EVENTS_EXPECTATION,
  })
  .meta({ minItems: 1, maxItems: WATCH_EVENT_TYPES.length, uniqueItems: true });

const sensitivity = createWholeNumber(LIVENESS_SENSITIVITY.min, LIVENESS_SENSITIVITY.max);

const EVENTS_DESCRIPTION = 'Types of alerts.';
const SENSITIVITY_DESCRIPTION = 'Number of consecutive missed probes before liveness_down.';

export const watchCreateRequestSchema = z.strictObject({
  endpoint: requestedResource,
  events: events.default([...WATCH_EVENT_TYPES]).describe(`${EVENTS_DESCRIPTION} All by default.`),
  liveness_sensitivity_n: sensitivity.default(LIVENESS_SENSITIVITY.default).describe(SENSITIVITY_DESCRIPTION),
  delivery: delivery
    .exactOptional()
    .describe('URLs that alerts are sent to. Without it, read the events of the watch.'),
});

const DELIVERY_EXPECTATION =
  'must be an object with at least one of `webhook_url`, `webhook_urls`, `slack_url` and `slack_urls`';

/** Body of a request that edits a watch. A setting that the body leaves out does not change. */
export const watchEditRequestSchema = z
  .strictObject({
    events: events.exactOptional().describe(`${EVENTS_DESCRIPTION} Replaces the present list.`),
    liveness_sensitivity_n: sensitivity.exactOptional().describe(SENSITIVITY_DESCRIPTION),
    delivery: delivery
      .refine((members) => Object.keys(members).length > 0, { error: DELIVERY_EXPECTATION })
      .exactOptional()
      .meta({ minProperties: 1 })
      .describe(
        'New URLs. The webhooks given replace all webhooks, and the chats given replace all chats. An empty list removes all URLs of its kind.',
      ),
  })
  .refine((edit) => Object.keys(edit).length > 0, {
    error: 'must be an object with at least one of `events`, `liveness_sensitivity_n` and `delivery`',
  })
  .meta({ minProperties: 1 });

/** Returns types of alerts in the order of `WATCH_EVENT_TYPES`. */
function sortTypes(types: readonly WatchEventType[]): readonly WatchEventType[] {
  return WATCH_EVENT_TYPES.filter((type) => types.includes(type));
}

export interface WatchCreateRequest {
  readonly endpoint: string;
  readonly events: readonly WatchEventType[];
  readonly livenessSensitivityN: number;
  readonly webhookUrls: readonly DeliveryUrl[];
  readonly chatUrls: readonly DeliveryUrl[];
}

/** Normalized request that edits a watch. A setting that the request leaves out does not change. */
export type WatchEdit = Partial<Omit<WatchCreateRequest, 'endpoint'>>;

/** Schema that parses a complete request for a new watch: `{ body, query, params }`. */
export const watchCreateInputSchema = z
  .object({ body: watchCreateRequestSchema })
  .transform(({ body }): WatchCreateRequest => ({
    endpoint: body.endpoint,
    events: sortTypes(body.events),
    livenessSensitivityN: body.liveness_sensitivity_n,
    webhookUrls: listDeliveryUrls(body.delivery ?? {}, 'webhook') ?? [],
    chatUrls: listDeliveryUrls(body.delivery ?? {}, 'chat') ?? [],
  }));

export const watchEditSchema = watchEditRequestSchema.transform((body): WatchEdit => {
  const webhookUrls = listDeliveryUrls(body.delivery ?? {}, 'webhook');
  const chatUrls = listDeliveryUrls(body.delivery ?? {}, 'chat');
  return {
    ...(body.events === undefined ? {} : { events: sortTypes(body.events) }),
    ...(body.liveness_sensitivity_n === undefined
      ? {}
      : { livenessSensitivityN: body.liveness_sensitivity_n }),
    ...(webhookUrls === undefined ? {} : { webhookUrls }),
    ...(chatUrls === undefined ? {} : { chatUrls }),
  };
});

/** Schema that parses a complete request that renews a watch: `{ body, query, params }`. */
export const watchRenewInputSchema = z
  .object({ params: z.object({ id: watchIdSchema }) })
  .transform(({ params }) => ({ id: params.id }));

const CURSOR_EXPECTATION = `must be a cursor or an event id of this watch, such as ${formatEventId(WATCH_ID_EXAMPLE, 7)}`;

/** Schema of a cursor. `parseWatchCursor` also checks that the cursor belongs to the watch. */
const cursor = z
  .string({ error: CURSOR_EXPECTATION })
  .regex(EVENT_ID_PATTERN, { error: CURSOR_EXPECTATION })
  .exactOptional();

export const watchEventsQuerySchema = z.object({ since: cursor, watch_since: cursor });
