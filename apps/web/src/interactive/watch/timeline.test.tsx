import type { WatchedState } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { createTestAlert, createTestLifecycleEvent, renderAt, renderText } from './testing/test-watch.tsx';
import { Timeline, formatAnnouncement } from './timeline.tsx';

const option = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  asset_symbol: 'USDC',
  decimals: 6,
  amount: '5000',
  amount_usd: '0.005000',
  pay_to: '0x1111111111111111111111111111111111111111',
};
const createTerms = (...options: Partial<typeof option>[]) => ({
  protocol_version: 2 as const,
  options: options.map((differs) => ({ ...option, ...differs })),
});

const STATES: readonly (readonly [WatchedState, string])[] = [
  [{ compliance: 'unpayable' }, 'The challenge cannot be paid.'],
  [{ listing_status: 'delisted' }, 'Listed in no directory'],
  [
    { liveness: 'down', down_since: '2026-03-04T11:00:00Z', missed_probes: 3, outcome: 'timeout' },
    'Down since 2026-03-04 11:00 UTC (1 hour ago) 3 missed probes Latest probe: timeout',
  ],
  [{ liveness: 'up' }, 'Up'],
  [
    { protocol_version: 1, options: [{ ...option, asset_symbol: null, decimals: null, amount_usd: null }] },
    '5000 atomic units of 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 on Base',
  ],
  [{ protocol_version: null, options: [{ ...option, amount: null }] }, 'an unknown amount of USDC on Base'],
  [createTerms(), 'no payment options'],
  [null, 'not known'],
];

describe('Timeline', () => {
  it('shows alerts and lifecycle events in one list, with severity, age and number', () => {
    const entries = [
      createTestAlert(3, { type: 'liveness_down' }),
      createTestAlert(2, { type: 'payto_change', severity: 'critical' }),
      createTestLifecycleEvent(1, 'created'),
    ];
    const html = renderAt(<Timeline log={{ entries }} />);
    expect(html.match(/<li /g)).toHaveLength(3);
    const text = renderText(<Timeline log={{ entries }} />);
    for (const part of [
      'Warning Outage 2026-03-04 11:55 UTC (5 minutes ago) · liveness_down · no. 3 Summary 3.',
      'Critical Payment address changed',
      'Info Watch created',
    ]) {
      expect(text).toContain(part);
    }
    expect(text.indexOf('no. 3')).toBeLessThan(text.indexOf('no. 1'));
    // Only alerts have a state before and after.
    expect(text.match(/Before/g)).toHaveLength(2);
  });

  it('shows the whole address before and after, and counts equal options', () => {
    const other = { pay_to: `0x${'3'.repeat(40)}`, network: 'eip155:137' };
    const alert = createTestAlert(
      1,
      { type: 'payto_change', severity: 'critical' },
      { before: createTerms({}, other), after: createTerms({ pay_to: `0x${'2'.repeat(40)}` }, other) },
    );
    const text = renderText(<Timeline log={{ entries: [alert] }} />);
    expect(text).toContain(
      `Before 0.005 USDC ($0.005) on Base (scheme exact ) to 0x${'1'.repeat(40)} 1 payment option without a change`,
    );
    expect(text).toContain(
      `After 0.005 USDC ($0.005) on Base (scheme exact ) to 0x${'2'.repeat(40)} 1 payment option without a change`,
    );
  });

  it.each(STATES)('describes the state %j', (after, text) => {
    const entries = [createTestAlert(1, { type: 'spec_regression' }, { after })];
    expect(renderText(<Timeline log={{ entries }} />)).toContain(text);
  });

  it('removes control characters of providers from every text', () => {
    const hostile = 'a\u202Eb';
    const entries = [
      createTestAlert(
        1,
        { type: 'price_change' },
        {
          summary: hostile,
          after: createTerms({ network: hostile, scheme: hostile, pay_to: hostile, asset_symbol: hostile }),
        },
      ),
    ];
    expect(renderText(<Timeline log={{ entries }} />)).not.toContain('\u202E');
  });

  it('shows the newest 50 entries at first, and how many are older', () => {
    const entries = Array.from({ length: 120 }, (_, index) =>
      createTestLifecycleEvent(120 - index, 'edited'),
    );
    const html = renderAt(<Timeline log={{ entries }} />);
    expect(html.match(/<li /g)).toHaveLength(50);
    expect(renderText(<Timeline log={{ entries }} />)).toContain('Show 50 older of 70');
  });

  it('says that there are no events yet', () => {
    expect(renderText(<Timeline log={{ entries: [] }} />)).toContain('No events yet');
  });
});

describe('formatAnnouncement', () => {
  const entries = [
    createTestAlert(5, { type: 'payto_change', severity: 'critical' }),
    ...[4, 3, 2, 1].map((sequence) => createTestLifecycleEvent(sequence, 'edited')),
  ];

  it.each([
    [5, ''],
    [4, '1 new event: Payment address changed (critical).'],
    [3, '2 new events: Payment address changed (critical), Settings changed (info).'],
    [
      0,
      '5 new events: Payment address changed (critical), Settings changed (info), Settings changed (info) and 2 more.',
    ],
  ])('announces what is newer than %i', (sequence, text) => {
    expect(formatAnnouncement(entries, sequence)).toBe(text);
  });
});
