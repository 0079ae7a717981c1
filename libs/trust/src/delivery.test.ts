import { DAY_MS, HOUR_MS } from '@touchstone/common';
import type { PurchaseOutcome } from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Purchase } from './delivery-facts.ts';
import { findDeliveryState } from './delivery.ts';
import { toPublishableInputs } from './report/report-inputs.ts';
import { score } from './score.ts';
import { anyDelivery, createDelivery, createPurchase } from './testing/deliveries.ts';
import { createHealthyInputs, NOW } from './testing/fixtures.ts';
import { allInputs } from './testing/reports.ts';

const FLAGS = ['paid-not-delivered', 'delivery-mixed', 'buyers-report-failures'];

/** Returns the state and the delivery flags of purchases, newest first. */
function judge(purchases: readonly Purchase[], buyers = { delivered: 0, failed: 0 }): string {
  const inputs = createHealthyInputs(createDelivery(purchases, buyers));
  const { flags } = score(inputs);
  const raised = flags.map(({ slug }) => slug).filter((slug) => FLAGS.includes(slug));
  return [findDeliveryState(inputs) ?? 'none', ...raised].join(' ');
}

const failed = (daysAgo: number) => createPurchase('paid-not-delivered', daysAgo);
const empty = (daysAgo: number) => createPurchase('wrong-body', daysAgo, { bodyBytes: 0 });
const buy = createPurchase;

const FAILED = 'failed paid-not-delivered';
const MIXED = 'mixed delivery-mixed';

test.each<[string, readonly Purchase[], string]>([
  ['no purchase', [], 'none'],
  ['one delivery', [buy('delivered', 3)], 'delivered'],
  ['one failure', [failed(1)], 'none'],
  ['two failures of one day', [failed(1.1), failed(1.9)], 'none'],
  ['failures of two days', [failed(1), failed(2)], FAILED],
  ['a 402 and an empty body', [buy('pay-again', 1), empty(2)], FAILED],
  ['failures around outcomes that do not count', [failed(1), buy('unclear', 1.5), failed(2)], FAILED],
  ['failures, then an uncharged refusal', [buy('refused-uncharged', 0.5), failed(1), failed(2)], FAILED],
  ['failures, then a delivery', [buy('delivered', 0.5), failed(1), failed(2)], MIXED],
  ['failures, then a late delivery', [buy('late', 0.5), failed(1), failed(2)], MIXED],
  ['failures, then another body', [buy('wrong-body', 0.5), failed(1), failed(2)], MIXED],
  ['a delivery between failures', [failed(1), buy('delivered', 2), failed(3)], MIXED],
  ['a delivery, then a failure', [failed(1), buy('delivered', 2)], 'none'],
  ['a failure, then a delivery', [buy('delivered', 1), failed(2)], 'delivered'],
  ['other bodies of two days', [buy('wrong-body', 1), buy('wrong-body', 9)], MIXED],
  ['a failure older than 30 days', [failed(1), failed(30.1)], 'none'],
])('%s', (_, purchases, expected) => {
  expect(judge(purchases)).toBe(expected);
});

test.each<[number, number, string]>([
  [9, 0, 'delivered'],
  [0, 2, 'delivered'],
  [9, 3, 'delivered buyers-report-failures'],
  [3, 3, 'mixed buyers-report-failures'],
])(
  '%i payers with a delivery and %i without, after a delivered purchase',
  (delivered, failures, expected) => {
    expect(judge([buy('delivered', 1)], { delivered, failed: failures })).toBe(expected);
  },
);

const NO_TROUBLE: readonly PurchaseOutcome[] = ['delivered', 'free', 'refused-uncharged', 'unclear'];

describe('the verdict', () => {
  it('is the same with all purchases and with the purchases that a report lists', () => {
    fc.assert(
      fc.property(anyDelivery, (delivery) => {
        const inputs = createHealthyInputs({ delivery });
        expect(score(toPublishableInputs(inputs))).toEqual(score(inputs));
      }),
    );
  });

  it('has the same score with and without delivery facts', () => {
    fc.assert(
      fc.property(allInputs, anyDelivery, (facts, delivery) => {
        const { delivery: _, ...inputs } = facts;
        const pick = ({
          scoreRange,
          components,
          caps,
          confidence,
          projection,
          ...rest
        }: ReturnType<typeof score>) => [
          ...[rest.score, scoreRange, components, caps, confidence, projection],
          ...rest.flags.filter(({ slug }) => !FLAGS.includes(slug)),
        ];
        expect(pick(score({ ...inputs, delivery }))).toEqual(pick(score(inputs)));
      }),
    );
  });

  it('is the same without delivery facts and with facts that show no failure', () => {
    fc.assert(
      fc.property(allInputs, anyDelivery, (facts, { purchases, buyers }) => {
        const { delivery: _, ...inputs } = facts;
        const good = purchases.filter(({ outcome }) => NO_TROUBLE.includes(outcome));
        const delivery = { purchases: good, buyers: { ...buyers, failed: 0 } };
        expect(score({ ...inputs, delivery })).toEqual(score(inputs));
      }),
    );
  });

  it('accuses after no single trouble, and never after a delivery', () => {
    fc.assert(
      fc.property(anyDelivery, ({ purchases }) => {
        const [first] = purchases;
        const troubles = purchases.filter(({ outcome }) => !NO_TROUBLE.includes(outcome));
        const one = purchases.filter((purchase) => purchase === troubles[0] || !troubles.includes(purchase));
        expect(judge(one)).not.toMatch(/failed|mixed/);
        const delivered = buy('delivered', 0, { at: Math.max(NOW, first?.at ?? 0) });
        expect(judge([delivered, ...purchases])).not.toContain('failed');
      }),
    );
  });

  it('does not depend on the time of day of purchases', () => {
    fc.assert(
      fc.property(anyDelivery, fc.integer({ min: 0, max: DAY_MS - 1 }), ({ purchases }, offset) => {
        const days = purchases.map(({ at, ...purchase }, index) => {
          const day = Math.floor(at / DAY_MS);
          return [day, { ...purchase, at: day * DAY_MS + 8 - index }] as const;
        });
        const recent = days.filter(([day]) => day > Math.floor(NOW / DAY_MS) - 29);
        const moved = recent.map(([, purchase]) => ({
          ...purchase,
          at: purchase.at + offset - (offset % HOUR_MS),
        }));
        expect(judge(moved)).toBe(judge(recent.map(([, purchase]) => purchase)));
      }),
    );
  });
});

test('the reasons name dates, prices and responses, and the evidence the transaction', () => {
  const inputs = createHealthyInputs(
    createDelivery([empty(1), buy('paid-not-delivered', 2, { httpStatus: null })]),
  );
  const { reasons, recommendation, flags } = score(inputs);
  expect(recommendation).toBe('avoid');
  expect(reasons).toEqual([
    'The last 2 test purchases of this service were charged and delivered nothing: the first on 2026-05-30 00:00 UTC ($0.01, no response), the last on 2026-05-31 00:00 UTC ($0.01, HTTP 200 with an empty body).',
  ]);
  expect(flags.find(({ slug }) => slug === 'paid-not-delivered')).toMatchObject({
    since: NOW - DAY_MS,
    evidence: { purchases: 2, transaction: `0x${'5a'.repeat(32)}`, firstPurchasedAt: NOW - 2 * DAY_MS },
  });

  const mixed = score(
    createHealthyInputs(createDelivery([buy('late', 1), buy('delivered', 2), buy('pay-again', 9)])),
  );
  expect([mixed.recommendation, ...mixed.reasons]).toEqual([
    'caution',
    '2 charged test purchases of this service in the last 30 days delivered nothing, too late or another body than declared, last on 2026-05-31 00:00 UTC ($0.01, response too late).',
  ]);

  const buyers = score(createHealthyInputs(createDelivery([], { delivered: 1, failed: 3 })));
  expect(buyers.recommendation).toBe('caution');
  const many = score(createHealthyInputs(createDelivery([], { delivered: 4, failed: 3 })));
  expect(many.recommendation).toBe('proceed');
  expect(many.reasons).toHaveLength(2);
  expect(buyers.reasons[0]).toBe(
    '3 payers report that their latest payment was charged and delivered nothing; 1 payer reports a delivery. These are unverified statements about payments that the chain shows.',
  );
});
