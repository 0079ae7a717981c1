import {
  MAX_WEBHOOK_BODY_BYTES,
  WATCH_EVENT_TYPES,
  WATCH_LIFECYCLE_TYPES,
  watchEventsSchema,
  webhookMessageSchema,
} from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toWebhookBody } from '../messages/webhook-message.ts';
import { CONTEXT, createEntry, createOption, createPolygonOption, createTerms } from '../testing/entries.ts';
import type { LogEntry } from './log-entry.ts';
import { toWatchEvent } from './to-watch-event.ts';

const OTHER_WALLET = '0x2222222222222222222222222222222222222222';
const summarize = (type: LogEntry['type'], data: unknown): string =>
  toWatchEvent(createEntry(type, data), CONTEXT).data.summary;

describe('an alert', () => {
  it('has the id, severity, time and terms of its entry', () => {
    const data = {
      before: createTerms(createOption()),
      after: createTerms(createOption({ payTo: OTHER_WALLET })),
    };
    const entry = { ...createEntry('payto_change', data), kind: 'alert', type: 'payto_change' } as const;
    const option = {
      scheme: 'exact',
      network: 'eip155:8453',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      asset_symbol: 'USDC',
      decimals: 6,
      amount: '10000',
      amount_usd: '0.010000',
      pay_to: '0x1111111111111111111111111111111111111111',
    };
    expect(toWatchEvent(entry, CONTEXT)).toEqual({
      event_id: 'evt_k5xgq2dlmvzw433bnz2gs3tbme_3',
      type: 'payto_change',
      severity: 'critical',
      observed_at_iso: '2026-11-23T00:10:00.000Z',
      endpoint: CONTEXT.resource,
      data: {
        sequence: 3,
        summary: `The address that receives USDC on Base changed from ${option.pay_to} to ${OTHER_WALLET}.`,
        endpoint_page: CONTEXT.endpointPage,
        before: { protocol_version: 2, options: [option] },
        after: { protocol_version: 2, options: [{ ...option, pay_to: OTHER_WALLET }] },
      },
    });
  });

  it('is a warning if the payTo begins to vary', () => {
    const before = createTerms(createOption());
    const after = createTerms(createOption({ payTo: OTHER_WALLET }));
    expect(toWatchEvent(createEntry('payto_change', { before, after, varies: true }), CONTEXT)).toMatchObject(
      {
        severity: 'warning',
        data: {
          varies: true,
          summary: `The payment address varies: it changed several times within a day. Further changes are not reported until it stays the same for a day. The address that receives USDC on Base changed from 0x${'1'.repeat(40)} to ${OTHER_WALLET}.`,
        },
      },
    );
  });

  it('names each new and each removed wallet', () => {
    const before = createTerms(createOption());
    expect(
      summarize('payto_change', {
        before,
        after: createTerms(createOption(), createOption({ payTo: OTHER_WALLET })),
      }),
    ).toBe(`The addresses that receive the payments changed. Added: ${OTHER_WALLET} (USDC on Base).`);
    expect(
      summarize('payto_change', { before, after: createTerms(createPolygonOption({ payTo: OTHER_WALLET })) }),
    ).toMatch(/Removed: 0x1{40} \(USDC on Base\)\. Added: 0x2{40} \(USDC on Polygon\)\.$/);
  });

  it.each([
    [{ amount: '25000', amountUsd: '0.025000' }, 'from $0.01 to $0.025 in USDC on Base.'],
    [{ amount: '5', amountUsd: null }, 'from $0.01 to 5 atomic units in USDC on Base.'],
    [{ amount: null, amountUsd: null }, 'from $0.01 to an unreadable amount in USDC on Base.'],
  ])('names both prices: %j', (change, expected) => {
    const data = { before: createTerms(createOption()), after: createTerms(createOption(change)) };
    expect(summarize('price_change', data)).toBe(`The price changed ${expected}`);
  });

  it('names at most three prices', () => {
    const create = (amount: string) =>
      createTerms(
        ...Array.from({ length: 4 }, (_, index) =>
          createOption({ asset: `0x${index}`, assetSymbol: null, amount }),
        ),
      );
    const prices = [0, 1, 2].map((index) => `from $0.01 to $0.01 in 0x${index} on Base`);
    expect(summarize('price_change', { before: create('1'), after: create('2') })).toBe(
      `The price changed ${prices.join('; ')}; and others.`,
    );
  });

  it('lists the options that differ first, and an option on one side only is always a difference', () => {
    const common = Array.from({ length: 30 }, (_, index) => createOption({ asset: `0x${index}` }));
    const added = Array.from({ length: 5 }, (_, index) => createPolygonOption({ asset: `0xa${index}` }));
    const event = toWatchEvent(
      createEntry('asset_network_change', {
        before: createTerms(...common),
        after: createTerms(...common, ...added),
      }),
      CONTEXT,
    );
    const [before = [], after = []] = [event.data.before, event.data.after].map((side) =>
      side !== null && side !== undefined && 'options' in side ? side.options.map(({ asset }) => asset) : [],
    );
    expect(after.slice(0, 5)).toEqual(['0xa0', '0xa1', '0xa2', '0xa3', '0xa4']);
    expect(before).toEqual(after.slice(5));
    expect(after).toHaveLength(20);
    expect(event.data.summary).not.toContain('Removed');
  });

  it('has the start, the misses and the cause of an outage', () => {
    const after = {
      liveness: 'down',
      downSince: '2026-11-22T23:55:00+00:00',
      missedProbes: 2,
      outcome: 'server-error',
    };
    const down = toWatchEvent(
      createEntry('liveness_down', { before: { liveness: 'up' }, after: { ...after, httpStatus: 503 } }),
      CONTEXT,
    );
    expect(down.data).toMatchObject({
      summary:
        'The endpoint has been down since 2026-11-22 23:55 UTC: 2 scheduled probes in a row failed (last result: HTTP 503).',
      before: { liveness: 'up' },
      after: {
        liveness: 'down',
        down_since: '2026-11-22T23:55:00.000Z',
        missed_probes: 2,
        outcome: 'server-error',
        http_status: 503,
      },
    });
    expect(
      summarize('liveness_down', { after: { ...after, outcome: 'dns-error', httpStatus: null } }),
    ).toContain('(last result: dns error)');
  });

  it.each([
    ['delisting', { listing_status: 'listed' }, { listing_status: 'delisted' }],
    ['spec_regression', { compliance: 'pass' }, { compliance: 'unpayable' }],
  ] as const)('has the states before and after %s', (type, before, after) => {
    const { data } = toWatchEvent(createEntry(type, { before, after }), CONTEXT);
    expect(data).toMatchObject({ before, after });
  });

  it('has the state before the watch of an endpoint that was down already', () => {
    const downSince = '2026-11-20T08:00:00.123456+00:00';
    const sides = { before: { liveness: 'down', downSince }, after: { liveness: 'down', downSince } };
    expect(toWatchEvent(createEntry('liveness_down', sides), CONTEXT).data).toMatchObject({
      before: { liveness: 'down', down_since: '2026-11-20T08:00:00.123Z' },
      after: { liveness: 'down', down_since: '2026-11-20T08:00:00.123Z' },
      summary: 'The endpoint has been down since 2026-11-20 08:00 UTC.',
    });
  });
});

const CHANGED_TERMS = {
  before: createTerms(createOption()),
  after: createTerms(createPolygonOption()),
};

describe('the summary', () => {
  it.each([
    [
      'asset_network_change',
      CHANGED_TERMS,
      'The payment options changed. Removed: USDC on Base. Added: USDC on Polygon.',
    ],
    [
      'spec_regression',
      { before: { compliance: 'pass' }, after: { compliance: 'unpayable' } },
      'Its compliance with the x402 specification changed from pass to unpayable. No reference client can pay it now.',
    ],
    ['delisting', {}, 'The endpoint left every directory that listed it.'],
    [
      'liveness_recovered',
      { before: { liveness: 'down', downSince: Date.parse('2026-11-22T21:05:00Z') } },
      'The endpoint responds again since 2026-11-23 00:10 UTC. It was down for 3 hours, from 2026-11-22 21:05 UTC.',
    ],
    [
      'created',
      { expiresAt: '2026-12-23T00:10:00+00:00' },
      'The watch is active until 2026-12-23 00:10 UTC.',
    ],
    ['edited', { changed: ['events', 'delivery'] }, 'The settings of the watch changed: events, delivery.'],
    [
      'renewed',
      { before: { expiresAt: '2026-12-23T00:10:00Z' }, after: { expiresAt: '2027-01-22T00:10:00Z' } },
      'The watch now ends at 2027-01-22 00:10 UTC instead of 2026-12-23 00:10 UTC.',
    ],
    ['cancelled', {}, 'The owner cancelled the watch. It reports no further changes.'],
    [
      'expiring',
      { expiresAt: '2026-12-23T00:10:00Z' },
      'The watch ends at 2026-12-23 00:10 UTC. Renew it to receive further alerts.',
    ],
    [
      'expired',
      { expiresAt: '2026-12-23T00:10:00Z' },
      'The watch ended at 2026-12-23 00:10 UTC. It can be renewed until 2026-12-30 00:10 UTC.',
    ],
    [
      'delivery_disabled',
      { channel: 'slack', label: 'https://hooks.slack.com/…c3d4', reason: 'gone' },
      'No more messages are sent to https://hooks.slack.com/…c3d4, because the URL does not exist.',
    ],
    [
      'purchase_not_delivered',
      { purchase: { purchasedAt: 0, outcome: 'pay-again', publishAt: 86_400_000, transaction: null } },
      'A test purchase by this service at 1970-01-01 00:00 UTC was charged, but the response asked for another payment. The outcome becomes public at 1970-01-02 00:00 UTC. The endpoint is bought again, and a delivery counts at once. GET /v1/claim/{id} shows the transaction.',
    ],
  ] as const)('describes %s', (type, data, summary) => {
    expect(summarize(type, data)).toBe(summary);
  });
});

/** Texts that providers may send, including texts that become longer in JSON and in UTF-8. */
const hugeText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 500 }),
  fc
    .constantFrom('"', '\\', '\u20ac', '🚨', '\ud800', '\u0000', '\u202e', '<!channel>', '`')
    .map((unit) => unit.repeat(400)),
);
const hugeOption = fc.record(
  {
    scheme: hugeText,
    network: hugeText,
    asset: hugeText,
    assetSymbol: fc.option(hugeText),
    decimals: fc.oneof(fc.nat(200), fc.constant(null)),
    amount: fc.oneof(fc.constant('9'.repeat(78)), hugeText, fc.constant(null)),
    amountUsd: fc.oneof(fc.constant(`${'9'.repeat(72)}.000000`), hugeText, fc.constant(null)),
    payTo: hugeText,
  },
  { requiredKeys: [] },
);
const hugeTerms = fc.record(
  {
    version: fc.constantFrom(1, 2, null, 'x'),
    options: fc.array(hugeOption, { minLength: 90, maxLength: 100, size: 'max' }),
  },
  { requiredKeys: [] },
);
const anyData = fc.oneof(
  { weight: 2, arbitrary: fc.record({ before: fc.option(hugeTerms), after: fc.option(hugeTerms) }) },
  { weight: 1, arbitrary: fc.anything() },
  {
    weight: 1,
    arbitrary: fc.record({
      before: fc.record({
        liveness: fc.constantFrom('up', 'down'),
        downSince: hugeText,
        expiresAt: hugeText,
      }),
      after: fc.record({
        liveness: fc.constantFrom('up', 'down'),
        downSince: fc.date().map(String),
        missedProbes: fc.integer(),
        outcome: hugeText,
      }),
      label: hugeText,
      reason: fc.constantFrom('gone', 'failing', 'other'),
      changed: fc.array(fc.constantFrom('events', 'events', 'delivery', 'x')),
    }),
  },
);
const resources = fc.oneof(fc.constant(CONTEXT.resource), fc.constant('\u20ac'.repeat(5_000)));

describe('any stored entry', () => {
  it.each([...WATCH_EVENT_TYPES, ...WATCH_LIFECYCLE_TYPES])(
    'becomes an event and a webhook message of less than 20 kB that follow their schemas: %s',
    (type) => {
      fc.assert(
        fc.property(anyData, resources, fc.nat(2_000_000_000), (data, resource, sequence) => {
          const context = { ...CONTEXT, resource };
          const event = toWatchEvent({ ...createEntry(type, data), sequence: sequence + 1 }, context);
          const body = toWebhookBody(event, CONTEXT.watchId);
          expect(Buffer.byteLength(body)).toBeLessThan(MAX_WEBHOOK_BODY_BYTES);
          expect(webhookMessageSchema.safeParse(JSON.parse(body)).error).toBeUndefined();
          const isAlert = WATCH_EVENT_TYPES.some((name) => name === type);
          const schema = isAlert ? watchEventsSchema.shape.events : watchEventsSchema.shape.watch_events;
          expect(schema.safeParse([event]).error).toBeUndefined();
          expect(body.isWellFormed()).toBe(true);
        }),
        { numRuns: Number(process.env['FUZZ_RUNS'] ?? 25) },
      );
    },
  );
});
