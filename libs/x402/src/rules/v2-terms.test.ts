import { describe, expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import type { Rule } from './rule.ts';
import { V2_TERMS_RULES } from './v2-terms.ts';
import {
  checkOf,
  failures,
  readV2,
  resultOf,
  v2Envelope,
  v2Option,
  v2Response,
  type Bag,
} from '../testing/fixtures.ts';
import type { Challenge } from '../types.ts';

const ids = new Set(V2_TERMS_RULES.map(({ id }) => id));
const CELO = {
  network: 'eip155:42220',
  asset: '0xcebA9300f2b948710d2653dD7B07f33A8B32118C',
  extra: { name: 'USDC', version: '2' },
};

/** The failures among the rules on terms. */
function faults(challenge: Challenge): string[] {
  return failures(challenge).filter((id) => ids.has(id));
}

function readOptions(...changes: readonly Bag[]): Challenge {
  return readChallenge(v2Response(v2Envelope({ accepts: changes.map((change) => v2Option(change)) })));
}

describe('an option', () => {
  test.each<[string, Bag, string[]]>([
    ['of the textbook', {}, []],
    ['without a scheme', { scheme: undefined }, ['v2-scheme']],
    ['of a scheme that is no text', { scheme: ['exact'] }, ['v2-scheme']],
    ['of a scheme of its own', { scheme: 'deferred' }, ['v2-scheme-known']],
    ['on a network of version 1', { network: 'base' }, ['v2-network-not-v1-name']],
    ['on no network', { network: undefined }, ['v2-network-caip2']],
    ['on a network that is only like CAIP-2', { network: 'EIP155:8453' }, ['v2-network-caip2']],
    ['on a network off every list', { network: 'sapiom:main' }, ['v2-network-known', 'v2-network-cdp']],
    ['on a network CDP does not settle on', CELO, ['v2-network-cdp']],
    ['on a test network', { network: 'eip155:84532' }, ['v2-network-mainnet']],
    ['of an amount that is a number', { amount: 10_000 }, ['v2-amount-string']],
    ['of an amount in dollars', { amount: '$0.01' }, ['v2-amount-string']],
    ['of an amount with a point', { amount: '0.01' }, ['v2-amount-string']],
    ['of no amount', { amount: undefined }, ['v2-amount-string']],
    ['of an amount beyond 256 bits', { amount: '9'.repeat(80) }, ['v2-amount-string']],
    ['of nothing', { amount: '0' }, ['v2-amount-positive']],
    ['of less than CDP lists', { amount: '999' }, ['v2-amount-cdp-floor']],
    ['of less than CDP lists, where it lists nothing', { ...CELO, amount: '1' }, ['v2-network-cdp']],
    [
      'with the amount under its old name',
      { amount: undefined, maxAmountRequired: '1' },
      ['v2-no-max-amount'],
    ],
    ['with the amount under both names', { maxAmountRequired: '10000' }, ['v2-no-max-amount']],
    [
      'with members of version 1',
      { resource: 'https://api.example.com', outputSchema: {} },
      ['v2-unknown-keys'],
    ],
    ['with no extra', { extra: undefined }, []],
  ])('%s', (_, change, expected) => {
    expect(faults(readV2(change))).toEqual(expected);
  });

  test.each<[string, Bag, string]>([
    ['v2-scheme', { scheme: '' }, 'fail error'],
    ['v2-scheme-known', { scheme: 'deferred' }, 'fail warning'],
    ['v2-scheme-known', { scheme: 7 }, 'skip'],
    ['v2-network-caip2', { network: 'EIP155:8453' }, 'fail warning'],
    ['v2-network-caip2', { network: 'mainnet' }, 'fail error'],
    ['v2-network-caip2', { network: 'eip155:base' }, 'fail error'],
    ['v2-network-caip2', { network: 'solana:mainnet' }, 'fail error'],
    ['v2-network-caip2', { network: 'hedera:testnet' }, 'pass'],
    ['v2-network-caip2', { network: ':8453' }, 'fail warning'],
    ['v2-network-known', { network: 'solana:mainnet' }, 'skip'],
    ['v2-network-caip2', { network: 'base' }, 'skip'],
    ['v2-network-not-v1-name', { network: 'base' }, 'fail error'],
    ['v2-network-known', { network: 'eip155:97' }, 'pass'],
    ['v2-network-known', { network: 'eip155:480' }, 'pass'],
    ['v2-network-known', { network: 'eip155:1234567' }, 'fail info'],
    ['v2-network-cdp', { network: 'EIP155:8453' }, 'skip'],
    ['v2-network-cdp', CELO, 'fail warning'],
    ['v2-network-mainnet', { network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' }, 'fail info'],
    ['v2-amount-string', { amount: '1e3' }, 'fail error'],
    ['v2-amount-string', { amount: null }, 'fail error'],
    ['v2-amount-cdp-floor', { amount: '0' }, 'skip'],
    ['v2-amount-cdp-floor', { amount: '1' }, 'fail warning'],
    ['v2-no-max-amount', { maxAmountRequired: '10000' }, 'fail warning'],
    ['v2-no-max-amount', { maxAmountRequired: '10000', amount: undefined }, 'fail error'],
    ['v2-unknown-keys', { maxAmountRequired: '10000' }, 'pass'],
  ])('%s of %o: %s', (id, change, result) => {
    expect(resultOf(readV2(change), id)).toBe(result);
  });

  test('is not payable under the old name alone, and merely untidy under both', () => {
    expect(checkOf(readV2({ amount: undefined, maxAmountRequired: '1' }), 'v2-no-max-amount').axis).toBe(
      'payable',
    );
    expect(checkOf(readV2({ maxAmountRequired: '1' }), 'v2-no-max-amount').axis).toBe('hygiene');
  });

  test('has its first foreign members named, and the others counted', () => {
    const foreign = { ['__proto__x']: 1, price: '$1', currency: 'USD', recipient: 'me', resource: 'r' };
    const { message } = checkOf(readV2(foreign), 'v2-unknown-keys');
    expect(message).toContain('"__proto__x", "price", "currency" and 2 more');
  });

  test('is judged by its own members only', () => {
    const option: unknown = JSON.parse(
      '{"__proto__":{"scheme":"exact","network":"eip155:8453","amount":"1"}}',
    );
    const challenge = readChallenge(v2Response(v2Envelope({ accepts: [option] })));
    expect(resultOf(challenge, 'v2-scheme')).toBe('fail error');
  });
});

describe('a rule', () => {
  const rule = (id: string): Rule | undefined => V2_TERMS_RULES.find((candidate) => candidate.id === id);

  test('on what CDP was seen to do cites no document of CDP', () => {
    expect(rule('v2-amount-cdp-floor')?.reference).toEqual({ source: 'HOUSE', clause: '' });
  });

  test('on schemes claims no more than that they are specified', () => {
    const { message } = checkOf(readV2({ scheme: 'deferred' }), 'v2-scheme-known');
    expect(message).toBe('scheme is "deferred", which the specification does not have.');
    expect(rule('v2-scheme-known')?.holds).toBe('Every scheme is one the specification has.');
  });
});

describe('many options', () => {
  test('are listed by CDP for one of them', () => {
    expect(resultOf(readOptions(CELO, {}), 'v2-network-cdp')).toBe('pass');
    expect(checkOf(readOptions(CELO, CELO, CELO), 'v2-network-cdp').message).toContain(
      '"eip155:42220" and 2 more',
    );
  });

  test('are reported by the gravest fault', () => {
    const challenge = readOptions({ maxAmountRequired: '1' }, { maxAmountRequired: '1', amount: undefined });
    expect(resultOf(challenge, 'v2-no-max-amount')).toBe('fail error');
  });

  test('that are no objects are left to the rule on the list', () => {
    const challenge = readChallenge(v2Response(v2Envelope({ accepts: [null, 'exact', 7] })));
    for (const id of ids) expect(resultOf(challenge, id)).toBe('skip');
  });
});
