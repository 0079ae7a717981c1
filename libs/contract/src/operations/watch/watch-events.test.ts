import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { WATCH_CREATED_EXAMPLE, WATCH_SCHEMAS } from './schemas.ts';
import { createCheck } from '../../testing/schema-checks.ts';
import { WATCH_EVENTS } from '../../events/watch-event-table.ts';
import type { WatchEvents } from './watch-events.ts';
import { watchCreatedSchema, watchSchema } from './responses.ts';

const WATCH_EVENTS_EXAMPLE = WATCH_SCHEMAS['watch-events'].example;
const WATCH_EXAMPLE = WATCH_SCHEMAS.watch.example;
const WEBHOOK_MESSAGE_EXAMPLE = WATCH_SCHEMAS['webhook-message'].example;
const accepts = createCheck('watch-events');
const acceptsMessage = createCheck('webhook-message');
const acceptsLog = (change: object): boolean => accepts({ ...WATCH_EVENTS_EXAMPLE, ...change });

const [alert] = WATCH_EVENTS_EXAMPLE.events;
const [created] = WATCH_EVENTS_EXAMPLE.watch_events;
const { sequence, summary, endpoint_page } = alert?.data ?? {};
const AT = '2026-07-01T00:00:00.000Z';
const basics = { sequence, summary, endpoint_page };

type Change = Pick<WatchEvents['events'][number]['data'], 'before' | 'after'>;

const DOWN: NonNullable<Change['after']> = {
  liveness: 'down',
  down_since: '2026-06-02T08:05:00.000Z',
  ...{ missed_probes: 2, outcome: 'server-error', http_status: 503 },
};

describe('the events of a watch', () => {
  it.each<readonly [string, Change]>([
    ['spec_regression', { before: { compliance: 'pass' }, after: { compliance: 'unpayable' } }],
    ['delisting', { before: { listing_status: 'listed' }, after: { listing_status: 'delisted' } }],
    ['liveness_down', { before: { liveness: 'up' }, after: DOWN }],
    [
      'liveness_recovered',
      { before: DOWN, after: { liveness: 'up', outcome: 'challenged', http_status: null } },
    ],
    ['price_change', { before: null, after: { protocol_version: null, options: [] } }],
  ])('can be a %s with its state before and after', (type, change) => {
    expect(acceptsLog({ events: [{ ...alert, type, data: { ...basics, ...change } }] })).toBe(true);
  });

  it.each([
    ['created', { expires_at: AT }],
    ['edited', { changed: ['events', 'liveness_sensitivity_n', 'delivery'] }],
    ['renewed', { before: { expires_at: AT }, after: { expires_at: AT } }],
    ['cancelled', {}],
    ['expiring', { expires_at: AT }],
    ['expired', { expires_at: AT }],
    ['delivery_disabled', { channel: 'slack', url: 'https://hooks.slack.com/…wxyz', reason: 'gone' }],
    [
      'purchase_not_delivered',
      { purchase: { purchased_at: AT, outcome: 'pay-again', publish_at: AT, transaction: null } },
    ],
  ])('can be %s, an event on the watch itself', (type, details) => {
    const event = { ...created, type, data: { ...basics, ...details } };
    expect(acceptsLog({ watch_events: [event] })).toBe(true);
    expect(acceptsLog({ events: [event] })).toBe(false);
  });

  it.each([
    [{ events: Array.from({ length: 101 }, () => alert) }],
    [{ events: [{ ...alert, event_id: 'evt_1' }] }],
    [{ events: [{ ...alert, severity: 'error' }] }],
    [{ events: [{ ...alert, secret: 'wsk_' }] }],
    [{ events: [{ ...alert, data: { ...alert?.data, before: { compliance: 'pass', liveness: 'up' } } }] }],
    [{ next_cursor: '7' }],
    [{ next_cursor: null }],
  ])('cannot be %#', (change) => {
    expect(acceptsLog(change)).toBe(false);
  });

  it('are critical for a changed payTo address only', () => {
    const isCritical = ([, { severity }]: readonly [string, { readonly severity: string }]) =>
      severity === 'critical';
    expect(
      Object.entries(WATCH_EVENTS)
        .filter(isCritical)
        .map(([type]) => type),
    ).toEqual(['payto_change']);
  });
});

describe('a message to a webhook', () => {
  const { data } = WEBHOOK_MESSAGE_EXAMPLE;
  const { watch_id, endpoint, severity, sender_page, refusal } = data;
  const test = { type: 'connection_test', timestamp: WEBHOOK_MESSAGE_EXAMPLE.timestamp };

  it('is an event, a connection test or a digest, and tells how to refuse further messages', () => {
    expect(acceptsMessage(WEBHOOK_MESSAGE_EXAMPLE)).toBe(true);
    const summary = 'Test.';
    expect(acceptsMessage({ ...test, data: { watch_id, endpoint, sender_page, refusal, summary } })).toBe(
      true,
    );
    expect(acceptsMessage({ ...test, data: { watch_id, endpoint, summary } })).toBe(false);
    const range = { first_sequence: 3, last_sequence: 4 };
    const digest = {
      watch_id,
      endpoint,
      sender_page,
      refusal,
      severity,
      summary,
      poll_url: sender_page,
      ...range,
    };
    expect(acceptsMessage({ ...test, type: 'delivery_digest', data: digest })).toBe(true);
  });

  it.each([
    { ...WEBHOOK_MESSAGE_EXAMPLE, type: 'other' },
    { ...WEBHOOK_MESSAGE_EXAMPLE, type: 'renewed' },
    { ...WEBHOOK_MESSAGE_EXAMPLE, data: { ...data, sequence: 0 } },
    { ...WEBHOOK_MESSAGE_EXAMPLE, data: { ...data, secret: 'wsk_' } },
    { ...test, data },
  ])('cannot be %#', (message) => {
    expect(acceptsMessage(message)).toBe(false);
  });
});

describe('a watch', () => {
  it('has a webhook secret that is derived from its secret', () => {
    const { secret, webhook_secret: webhookSecret } = WATCH_CREATED_EXAMPLE;
    const key = createHash('sha256').update(secret).digest('hex');
    expect(webhookSecret).toBe(`whsec_${btoa(key)}`);
  });

  it('has secrets only in the response to its purchase', () => {
    const { secret, webhook_secret } = WATCH_CREATED_EXAMPLE;
    expect(watchSchema.safeParse({ ...WATCH_EXAMPLE, secret }).success).toBe(false);
    expect(watchSchema.safeParse({ ...WATCH_EXAMPLE, webhook_secret }).success).toBe(false);
    for (const wrong of ['', 'wsk_', secret.slice(0, -1), `${secret}a`, secret.replace('wsk_', 'whsec_')]) {
      expect(watchCreatedSchema.safeParse({ ...WATCH_CREATED_EXAMPLE, secret: wrong }).success).toBe(false);
    }
  });
});
