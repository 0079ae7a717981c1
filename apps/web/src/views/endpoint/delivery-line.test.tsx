import type { Snapshot } from '@touchstone/store';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { DeliveryLine } from './delivery-line.tsx';

type Delivery = NonNullable<Snapshot['delivery']>;
type Purchase = NonNullable<Delivery['last']>;

const ID = 'p_k5xgq2dlmvzw433bnz2gs3tbme';
const NO_BUYERS = { delivered: 0, failed: 0 };

const render = (delivery: Delivery | null) =>
  renderToStaticMarkup(<DeliveryLine snapshot={createTestSnapshot({ delivery })} />);
const describe = (last: Partial<Purchase>, state: Delivery['state'] = null, buyers = NO_BUYERS) => {
  const at = '2026-11-28T10:00:07.000Z';
  const paid = {
    id: ID,
    at,
    amountUsd: '0.010000',
    outcome: 'delivered',
    httpStatus: 200,
    bodyBytes: 412,
    schemaFindings: 0,
    totalMs: 820,
  } as const;
  return render({ state, last: { ...paid, ...last }, buyers });
};

it('shows nothing where nothing was bought', () => {
  expect(render(null)).toBe('');
});

it('links the latest purchase to its record', () => {
  expect(describe({})).toContain(`href="/v1/purchases/${ID}"`);
});

it.each<readonly [Partial<Purchase>, string]>([
  [{}, 'Delivered Bought by Touchstone on 2026-11-28 : $0.01, 200 in 820 ms, as declared.'],
  [{ schemaFindings: null }, '$0.01, 200 in 820 ms, with a body.'],
  [{ outcome: 'wrong-body', schemaFindings: 2 }, '200 in 820 ms, but the body was not as declared.'],
  [{ outcome: 'wrong-body', bodyBytes: 0, schemaFindings: null }, 'but the body was empty.'],
  [{ outcome: 'wrong-body', schemaFindings: null }, 'but the body was incomplete.'],
  [
    { outcome: 'late', totalMs: 31_000 },
    'the payment was taken and the response was late: 200 in 31,000 ms.',
  ],
  [{ outcome: 'late', httpStatus: null }, 'taken and no complete response came within 60 seconds.'],
  [
    { outcome: 'paid-not-delivered', httpStatus: 502 },
    '$0.01, the payment was taken and the endpoint answered 502.',
  ],
  [{ outcome: 'paid-not-delivered', httpStatus: null }, 'was taken and the endpoint sent no response.'],
  [{ outcome: 'pay-again', httpStatus: 402 }, 'was taken and the endpoint asked for another one.'],
  [
    { outcome: 'free' },
    'Free Bought by Touchstone on 2026-11-28 : $0.01, 200 in 820 ms, and the payment was not taken.',
  ],
  [
    { outcome: 'refused-uncharged', httpStatus: 402 },
    'the endpoint answered 402 and did not take the payment.',
  ],
  [{ outcome: 'unclear' }, '$0.01, but this service cannot tell what happened.'],
])('describes %j', (last, text) => {
  expect(extractText(describe(last))).toContain(text);
});

it.each<readonly [Delivery['state'], Purchase['outcome'], string]>([
  [null, 'late', 'One such purchase alone raises no flag.'],
  ['mixed', 'delivered', 'purchases of at least two days were charged and not delivered as declared'],
  ['failed', 'pay-again', 'The purchases of at least two days were charged without delivery.'],
])('says what the state %s means after the outcome %s', (state, outcome, text) => {
  expect(extractText(describe({ outcome }, state))).toContain(text);
});

it('does not let a delivery to this service hide the failures of buyers', () => {
  const text = extractText(describe({}, 'mixed', { delivered: 1, failed: 3 }));
  expect(text).toContain('Several buyers report failures, which this service cannot verify.');
});

it('says after an uncharged purchase nothing about flags', () => {
  expect(extractText(describe({ outcome: 'free' }))).not.toMatch(/flag|days/);
});

it.each<readonly [number, number, string]>([
  [4, 0, '4 buyers report delivery, none reports a failure.'],
  [1, 2, '1 buyer reports delivery, 2 report a failure.'],
  [0, 1, 'No buyer reports delivery, 1 reports a failure.'],
])('counts %i buyers with and %i without delivery', (delivered, failed, text) => {
  expect(extractText(render({ state: null, last: null, buyers: { delivered, failed } })).trim()).toBe(text);
});
