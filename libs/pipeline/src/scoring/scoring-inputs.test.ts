import { DAY_MS } from '@touchstone/common';
import { expect, it } from 'vitest';
import { listTermsChanges, selectNotPayableReason, toTermsChange } from './scoring-inputs.ts';

const refusals = { v1: 'The body is no JSON object.', v2: 'There is no header.' };

it('names a payment that would fail before a payment that is not signed', () => {
  const settlementFailures = { v1: 'The domain is wrong.', v2: null };
  expect(selectNotPayableReason({ version: 2, refusals, settlementFailures })).toBe('The domain is wrong.');
});

it.each([
  [1, refusals.v1],
  [2, refusals.v2],
  [null, refusals.v2],
] as const)('names the reason of protocol version %s first', (version, reason) => {
  const settlementFailures = { v1: null, v2: null };
  expect(selectNotPayableReason({ version, refusals, settlementFailures })).toBe(reason);
});

it('uses the reason of the other version when its own version has no reason', () => {
  const only = { v1: refusals.v1, v2: null };
  expect(selectNotPayableReason({ version: 2, refusals: only, settlementFailures: null })).toBe(refusals.v1);
  expect(selectNotPayableReason({ version: 2, refusals: null, settlementFailures: null })).toBeNull();
});

type Stored = Parameters<typeof toTermsChange>[0];
type Option = NonNullable<Stored['before']>['options'][number];

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

function createOption(change: Partial<Option> = {}): Option {
  return {
    scheme: 'exact',
    network: 'eip155:8453',
    asset: USDC,
    assetSymbol: 'USDC',
    decimals: 6,
    amount: '10000',
    amountUsd: '0.010000',
    payTo: '0xaa',
    ...change,
  };
}

function convert(kind: Stored['kind'], before: readonly Option[], after: readonly Option[]): unknown {
  const terms = (options: readonly Option[]) => ({
    version: 2 as const,
    description: null,
    options: [...options],
  });
  const { before: from, after: to } = toTermsChange({
    kind,
    at: 7,
    before: terms(before),
    after: terms(after),
  });
  return [from, to];
}

it('shows the values of the option that changed', () => {
  const other = createOption({ network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' });
  expect(
    convert('payto_change', [createOption(), other], [createOption(), { ...other, payTo: '0xbb' }]),
  ).toEqual(['0xaa', '0xbb']);
  expect(convert('price_change', [createOption()], [createOption({ amountUsd: '0.500000' })])).toEqual([
    '$0.01',
    '$0.50',
  ]);
});

it.each([
  [
    'the wallet that was removed and the one that was added',
    ['0xaa', '0xbb'],
    ['0xaa', '0xcc'],
    '0xbb',
    '0xcc',
  ],
  ['only an added wallet', ['0xaa'], ['0xaa', '0xcc'], null, '0xcc'],
  ['only a removed wallet', ['0xaa', '0xbb'], ['0xbb'], '0xaa', null],
  ['another wallet beside another spelling', ['0xAA', '0xbb'], ['0xaa', '0xcc'], '0xbb', '0xcc'],
])('shows, of a token with several options, %s', (...[, before, after, from, to]) => {
  const [one, other] = [before, after].map((wallets) => wallets.map((payTo) => createOption({ payTo })));
  expect(convert('payto_change', one ?? [], other ?? [])).toEqual([from, to]);
});

it('shows the price of the first option of a token, which clients pay', () => {
  const second = createOption({ amountUsd: '0.900000' });
  const after = [createOption({ amountUsd: '0.020000' }), second];
  expect(convert('price_change', [createOption(), second], after)).toEqual(['$0.01', '$0.02']);
});

it('compares addresses of tokens without letter case on EVM networks', () => {
  const lower = createOption({ asset: USDC.toLowerCase(), payTo: '0xbb' });
  expect(convert('payto_change', [createOption()], [lower])).toEqual(['0xaa', '0xbb']);
});

it('shows atomic units when the price in dollars is unknown', () => {
  const unknown = createOption({ asset: 'EURX', assetSymbol: null, decimals: null, amountUsd: null });
  expect(convert('price_change', [unknown], [{ ...unknown, amount: '20000' }])).toEqual([
    '10000 units of EURX',
    '20000 units of EURX',
  ]);
});

it('shows the removed and the added network or token', () => {
  const polygon = createOption({
    network: 'eip155:137',
    asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  });
  expect(convert('asset_network_change', [createOption()], [polygon])).toEqual([
    'eip155:8453 USDC',
    'eip155:137 USDC',
  ]);
  expect(convert('asset_network_change', [createOption()], [createOption(), polygon])).toEqual([
    null,
    'eip155:137 USDC',
  ]);
});

it('shows the first wallets when they moved to another network', () => {
  const polygon = createOption({ network: 'eip155:137', payTo: '0xbb' });
  expect(convert('payto_change', [createOption()], [polygon])).toEqual(['0xaa', '0xbb']);
});

it('shows nothing for earlier changes, whose terms are not read', () => {
  const change = toTermsChange({ kind: 'price_change', at: 7, before: null, after: null });
  expect(change).toEqual({ kind: 'price_change', at: 7, before: null, after: null });
});

it.each([
  ['moved and stayed the same for a day', true, DAY_MS, 1],
  ['moved and stayed the same for less than a day', true, DAY_MS - 1, 0],
  ['returned to the first wallet', false, DAY_MS, 0],
])('counts the changes of a payTo that varied and %s', (...[, hasMoved, termsAt, count]) => {
  const toTerms = (payTo: string) => ({
    ...{ version: 2 as const, description: null },
    options: [createOption({ payTo })],
  });
  const sides = { before: toTerms('0xaa'), after: toTerms('0xbb') };
  const payToVariation = { changes: 3, since: -9, lastChangedAt: 0, ...sides, hasMoved };
  const change = { kind: 'payto_change', at: 0, before: '0xaa', after: '0xbb' };
  const older = { kind: 'price_change' as const, at: -1, before: null, after: null };
  const newer = { ...older, at: 1 };
  expect(listTermsChanges({ state: { termsAt }, payToVariation, changes: [older, newer] })).toEqual([
    older,
    ...Array.from({ length: count }, () => change),
    newer,
  ]);
});
