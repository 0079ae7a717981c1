import { describe, expect, it } from 'vitest';
import { attack, type Attack, type AttackResult } from './testing/attack.ts';
import { closeServersAfterEach } from './testing/listen.ts';
import { OTHER_PAY_TO, PAY_TO } from './testing/touchstone.ts';

closeServersAfterEach();

const POLYGON = { network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' };
const STABLE_PRICE = { endpoint: { priceRange30d: { lowUsd: '0.010000', highUsd: '0.010000' } } };
const UNKNOWN = { endpoint: null };
const CHANNEL = {
  ...{ name: 'USD Coin', version: '2', assetTransferMethod: 'eip3009' },
  ...{ receiverAuthorizer: PAY_TO, withdrawDelay: 86_400 },
};
const times = (count: number) => Array.from({ length: count }, (_, index) => `/v2/item-${index}`);
const repeat = (count: number) => Array.from({ length: count }, () => '/v2/weather');

const STOPPED = { warnings: [], payments: 0, amount: 0 };

/** Attack with its name, its setup, and what reaches the seller in spite of the default policy. */
type Row = readonly [string, Attack, Partial<AttackResult>];

describe('attacks of a seller or of an intruder, against the default policy and a stock client', () => {
  it.each<Row>([
    [
      '1 a replaced recipient',
      { offers: [{ payTo: OTHER_PAY_TO }] },
      { ...STOPPED, results: ['pay-to-mismatch'] },
    ],
    [
      '1 a replaced recipient after a redirect',
      { offers: [{ payTo: OTHER_PAY_TO }], paths: ['/moved'] },
      { ...STOPPED, results: ['pay-to-mismatch'] },
    ],
    [
      '2 a swapped token',
      { offers: [{ asset: '0x2222222222222222222222222222222222222222' }] },
      { ...STOPPED, results: ['token-not-usdc asset-mismatch price-unknown'] },
    ],
    [
      '3 wrong decimals: 18 instead of 6',
      { offers: [{ amount: '10000000000000000' }] },
      { ...STOPPED, results: ['price-multiple'] },
    ],
    [
      '4 reordered offers: the client takes the first',
      { offers: [{ payTo: OTHER_PAY_TO }, {}] },
      { ...STOPPED, results: ['pay-to-mismatch'] },
    ],
    [
      '5 a price of 50 times',
      { offers: [{ amount: '500000' }] },
      { ...STOPPED, results: ['price-multiple'] },
    ],
    [
      '6 a price of 2.9 times',
      { offers: [{ amount: '29000' }], answer: STABLE_PRICE },
      { ...STOPPED, results: ['price-multiple'] },
    ],
    [
      '7 another network at a known endpoint',
      { offers: [POLYGON] },
      { ...STOPPED, results: ['asset-mismatch'] },
    ],
    [
      '8 another network at an unknown host',
      { offers: [{ ...POLYGON, amount: '20000' }], answer: UNKNOWN },
      { ...STOPPED, results: ['unknown-endpoint first-payment'] },
    ],
    [
      '9 an authorization that lives a year',
      { offers: [{ maxTimeoutSeconds: 31_536_000 }] },
      { ...STOPPED, results: ['lifetime'] },
    ],
    [
      '10 a signed amount of 100 times the price: the deposit that a seller demands',
      { offers: [{ scheme: 'batch-settlement', extra: { ...CHANNEL, minDeposit: '1000000' } }] },
      { ...STOPPED, results: ['deposit'] },
    ],
    [
      '11 ten payments of $0.09 to one unknown wallet',
      { offers: [{ amount: '90000' }], answer: UNKNOWN, paths: times(10) },
      { ...STOPPED, results: times(10).map(() => 'unknown-endpoint first-payment') },
    ],
    [
      '11 ten payments of $0.01 to one unknown wallet',
      { answer: UNKNOWN, paths: times(10) },
      {
        ...{ payments: 1, amount: 10_000, warnings: ['unknown-endpoint'] },
        results: ['status 200', ...times(9).map(() => 'unknown-endpoint unknown-repeated')],
      },
    ],
    [
      '12 twelve payments of one request after twelve responses 402',
      { deliver: (response) => void response.writeHead(402).end(), paths: repeat(12) },
      {
        ...{ payments: 1, amount: 10_000, warnings: ['payment-resent'] },
        results: times(12).map(() => 'status 402'),
      },
    ],
    [
      '12 twelve payments of twelve requests after twelve responses 402',
      { deliver: (response) => void response.writeHead(402).end(), paths: times(12) },
      {
        ...{ payments: 2, amount: 20_000, warnings: ['undelivered'] },
        results: ['status 402', 'status 402', ...times(10).map(() => 'undelivered')],
      },
    ],
    [
      '13 five deliveries that never came',
      { deliver: (response) => void response.destroy(), paths: times(5) },
      {
        ...{ payments: 2, amount: 20_000, warnings: ['undelivered'] },
        results: ['no response', 'no response', ...times(3).map(() => 'undelivered')],
      },
    ],
    [
      '14 one request three times',
      { paths: repeat(3) },
      {
        ...{ payments: 1, amount: 10_000, warnings: [] },
        results: ['status 200', 'repeated-request', 'repeated-request'],
      },
    ],
    [
      '15 a look-alike of a known domain',
      {
        host: 'api.examp1e.com',
        answer: { endpoint: null, unknownHost: { knownEndpoints: 0, resembles: 'api.example.com' } },
      },
      { ...STOPPED, results: ['unknown-endpoint lookalike'] },
    ],
    [
      '16 an unknown host, for $0.02',
      { offers: [{ amount: '20000' }], answer: UNKNOWN },
      { ...STOPPED, results: ['unknown-endpoint first-payment'] },
    ],
  ])('%s', async (_name, setup, expected) => {
    expect(await attack(setup)).toMatchObject(expected);
  });

  it('pays an honest seller once for each of five requests', async () => {
    expect(await attack({ paths: times(5) })).toEqual({
      ...{ payments: 5, amount: 50_000, warnings: [] },
      results: times(5).map(() => 'status 200'),
    });
  });
});
