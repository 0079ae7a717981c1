import type { ServerResponse } from 'node:http';
import {
  formatEventId,
  parseWatchCursor,
  type Watch,
  WATCH_EVENT_TYPES,
  WATCH_EVENTS,
  watchCreatedSchema,
  watchCreateInputSchema,
  watchEditedSchema,
  watchEditSchema,
  type WatchEvent,
  watchEventsSchema,
  watchRenewedSchema,
  watchSchema,
} from '@touchstone/contract';
import { type AuthorizedRequest, createChallenge, openSeller, respond, SETTLED } from './seller.ts';

export const WATCH_ID = 'w_k5xgq2dlmvzw433bnz2gs3tbme';
export const WATCH_SECRET = `wsk_${'A1'.repeat(21)}x`;
export const WEBHOOK_SECRET = `whsec_${'Q'.repeat(86)}==`;
const EXPIRES = '2026-12-23T00:00:00.000Z';
/** Maximum number of alerts, and of events on the watch itself, in one response of this service. */
const PAGE = 2;

export type TestEventType = keyof typeof WATCH_EVENTS;

/** Function that may respond before the service does. Returns true if it has responded. */
type Fault = (request: AuthorizedRequest, response: ServerResponse) => boolean;

/** Starts a service that sells one watch and has its log. All its responses match the schemas of the contract. */
export async function openWatchService() {
  const log: WatchEvent[] = [];
  const requests: AuthorizedRequest[] = [];
  const state = {
    status: 'active' as Watch['status'],
    endpoint: '',
    fault: null as Fault | null,
    change: (created: unknown): unknown => created,
  };
  const links = () => {
    const url = `${seller.base}/v1/watch/${WATCH_ID}`;
    return { poll_url: `${url}/events`, renew_url: `${url}/renew`, edit_url: url, cancel_url: url };
  };
  const common = () => ({
    watch_id: WATCH_ID,
    endpoint: state.endpoint,
    endpoint_page: `${seller.base}/endpoint/weather-abcdefghij`,
    expires_at: EXPIRES,
    ...links(),
  });
  const settings = { events: [...WATCH_EVENT_TYPES], liveness_sensitivity_n: 2 };
  const create = (body: string) => {
    const json: unknown = JSON.parse(body);
    const request = watchCreateInputSchema.parse({ body: json });
    state.endpoint = request.endpoint;
    return watchCreatedSchema.parse({
      ...common(),
      secret: WATCH_SECRET,
      webhook_secret: WEBHOOK_SECRET,
      events: [...request.events],
      liveness_sensitivity_n: request.livenessSensitivityN,
      delivery: {
        connection_test: [...request.webhookUrls, ...request.chatUrls].map(({ url }) => ({
          url,
          ok: true,
          status: 204,
          ms: 35,
          error: null,
        })),
      },
      next_steps: ['Store the secret.'],
    });
  };
  const readWatch = (): Watch =>
    watchSchema.parse({
      ...common(),
      ...settings,
      status: state.status,
      created_at: '2026-11-23T00:00:00.000Z',
      cancelled_at: state.status === 'cancelled' ? '2026-11-24T00:00:00.000Z' : null,
      delivery: {
        webhooks: [
          {
            channel: 'webhook',
            url: 'https://hooks.example.com/…erts',
            status: 'failing',
            disabled_reason: null,
            failing_since: '2026-11-23T10:00:00.000Z',
            pending_events: 3,
            last_attempt: {
              at: '2026-11-23T10:05:00.000Z',
              http_status: 500,
              ok: false,
              error: 'http-500',
            },
          },
        ],
        chats: [],
      },
    });
  const readEvents = ({ searchParams }: URL) => {
    const after = (name: string) => parseWatchCursor(searchParams.get(name) ?? '', WATCH_ID) ?? -1;
    const list = (isAlert: boolean, sequence: number) =>
      log.filter(
        ({ type, data }) =>
          WATCH_EVENT_TYPES.some((each) => each === type) === isAlert && data.sequence > sequence,
      );
    const [alerts, own] = [list(true, after('since')), list(false, after('watch_since'))];
    const toCursor = (events: readonly WatchEvent[], sequence: number) =>
      formatEventId(WATCH_ID, events.slice(0, PAGE).at(-1)?.data.sequence ?? sequence);
    return watchEventsSchema.parse({
      watch_id: WATCH_ID,
      status: state.status,
      endpoint: state.endpoint,
      expires_at: EXPIRES,
      events: alerts.slice(0, PAGE),
      next_cursor: toCursor(alerts, after('since')),
      watch_events: own.slice(0, PAGE),
      watch_events_cursor: toCursor(own, after('watch_since')),
      has_more: alerts.length > PAGE || own.length > PAGE,
    });
  };
  const respondToOwner = (request: AuthorizedRequest, response: ServerResponse): void => {
    requests.push(request);
    if (state.fault?.(request, response) === true) return;
    const { method, url, authorization, body } = request;
    if (authorization !== `Bearer ${WATCH_SECRET}` || !url.pathname.startsWith(`/v1/watch/${WATCH_ID}`)) {
      response.statusCode = 401;
      respond(response, { code: 'unauthorized', title: 'Unauthorized', detail: 'The secret is wrong.' });
      return;
    }
    if (method === 'DELETE') state.status = 'cancelled';
    if (method === 'PATCH') {
      watchEditSchema.parse(JSON.parse(body));
      respond(response, watchEditedSchema.parse({ ...readWatch(), connection_test: [] }));
    } else respond(response, url.pathname.endsWith('/events') ? readEvents(url) : readWatch());
  };
  const seller = await openSeller({
    challenge: (url) => createChallenge(url, { amount: '200000' }),
    onPaid: ({ path, body, response }) => {
      const value = path.endsWith('/renew')
        ? watchRenewedSchema.parse({ ...common(), status: state.status })
        : state.change(create(body));
      respond(response, value, SETTLED);
    },
    onAuthorized: respondToOwner,
  });
  state.endpoint = 'https://api.example.com/v1/weather';
  return {
    ...seller,
    state,
    requests,
    append: (type: TestEventType, summary = `Event of type ${type}.`): void => {
      const sequence = log.length + 1;
      const isAlert = WATCH_EVENT_TYPES.some((each) => each === type);
      const event = {
        event_id: formatEventId(WATCH_ID, sequence),
        type,
        severity: WATCH_EVENTS[type].severity,
        observed_at_iso: `2026-11-23T00:${String(sequence % 60).padStart(2, '0')}:00.000Z`,
        endpoint: state.endpoint,
        data: {
          sequence,
          summary,
          endpoint_page: `${seller.base}/endpoint/weather-abcdefghij`,
          ...(isAlert ? { before: null, after: null } : {}),
        },
      };
      // The schema of the contract is checked when the event is sent.
      log.push(event as WatchEvent);
    },
  };
}

export type WatchService = Awaited<ReturnType<typeof openWatchService>>;
