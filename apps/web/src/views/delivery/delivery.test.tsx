import { PURCHASE_SCHEMAS, type DeliveryLedger } from '@touchstone/contract/operations/purchase/schemas';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { Delivery } from './delivery.tsx';

const LEDGER: DeliveryLedger = PURCHASE_SCHEMAS['delivery-ledger'].example;
const OFF = { ...LEDGER, budget: null };

const render = (ledger: DeliveryLedger = LEDGER) =>
  renderToStaticMarkup(<Delivery ledger={ledger} isSimulated={false} />);
const read = (ledger?: DeliveryLedger) => extractText(render(ledger));

describe('the budget', () => {
  it('names what was spent, the limits, what is left and the wallets', () => {
    const text = read();
    for (const part of [
      'Spent in total $3.41 of $25.00; $21.59 left',
      'Spent today (UTC) $0.02 of $1.00; $0.98 left',
      'Purchases 215 198 charged, as the chains show',
      'Limit of one purchase $0.05 and $0.10 per endpoint in seven days',
      LEDGER.wallets[0],
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('are off');
  });

  it('has nothing left if the operator lowered a limit', () => {
    const spent = { ...LEDGER.spent, todayUsd: '3.000000' };
    expect(read({ ...LEDGER, spent })).toContain('Spent today (UTC) $3.00 of $1.00; $0.00 left');
  });

  it('says that purchases are off, and still shows the purchases of the past', () => {
    const text = read(OFF);
    expect(text).toContain('Test purchases are off.');
    expect(text).toContain('Spent in total $3.41 Spent today (UTC) $0.02 Purchases');
    expect(text).toContain('200 in 820 ms');
  });
});

it('counts the published purchases by outcome', () => {
  const text = read();
  expect(text).toContain('Outcomes of 213 published purchases.');
  expect(text).toContain('Delivered 183 Charged.');
  expect(text).toContain('Paid, not delivered 9 Charged.');
});

it('counts the purchases that are not published, because all withheld ones had trouble', () => {
  const text = read();
  expect(text).toContain(
    '1 more purchase did not deliver as declared and in time; the endpoints are named a day later',
  );
  expect(text).toContain('1 outcome is not known yet.');
  const none = { ...LEDGER.spent, withheld: 0, undecided: 0 };
  expect(read({ ...LEDGER, spent: none })).not.toMatch(/more purchase|not known/);
});

describe('the list', () => {
  const [published] = LEDGER.purchases;
  if (published === undefined) throw new Error('The example has a purchase.');

  it('links endpoint, transaction and record of a published purchase', () => {
    const html = render();
    for (const href of [
      new URL(published.endpointPage ?? '').pathname,
      `https://basescan.org/tx/${published.transaction}`,
      `/v1/purchases/${published.id}`,
    ])
      expect(html).toContain(`href="${href}"`);
    expect(extractText(html)).toContain('Delivered 200 in 820 ms Transaction Record');
  });

  it('shows a removed endpoint and an uncharged payment without a link', () => {
    const resource = 'https://gone.example/<b>';
    const gone = {
      ...published,
      resource,
      endpointPage: null,
      transaction: null,
      httpStatus: null,
      totalMs: null,
    };
    const html = render({ ...LEDGER, purchases: [{ ...gone, outcome: 'unclear' }] });
    expect(extractText(html)).toContain('Unclear no response Record');
    expect(html).toContain('gone.example');
    expect(html).not.toMatch(/<b>|href="\/endpoint\/|basescan/);
  });

  it('is empty before the first purchase', () => {
    const empty = { ...LEDGER, purchases: [], spent: { ...LEDGER.spent, purchases: 0 } };
    expect(read(empty)).toContain(
      'Nothing has been bought yet A delivered purchase appears here within minutes',
    );
    expect(read({ ...empty, budget: null })).toContain('after the operator has set a wallet and a budget.');
    expect(read({ ...LEDGER, purchases: [] })).toContain('No purchase is published yet');
  });
});
