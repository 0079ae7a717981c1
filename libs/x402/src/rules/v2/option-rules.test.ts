import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../challenge/read-challenge.ts';
import type { Rule } from '../rule.ts';
import { V2_OPTION_RULES } from './option-rules.ts';
import {
  getCheck,
  listFailures,
  readV2,
  getResult,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import type { Challenge } from '../../types.ts';

const ids = new Set(V2_OPTION_RULES.map(({ id }) => id));
const CELO = {
  network: 'eip155:42220',
  asset: '0xcebA9300f2b948710d2653dD7B07f33A8B32118C',
  extra: { name: 'USDC', version: '2' },
};

/** Returns the ids of the failed option rules. */
function faults(challenge: Challenge): string[] {
  return listFailures(challenge).filter((id) => ids.has(id));
}

function readOptions(...changes: readonly JsonObject[]): Challenge {
  return readChallenge(v2Response(v2Envelope({ accepts: changes.map((change) => v2Option(change)) })));
}

describe('an option', () => {
  test.each<[string, JsonObject, string[]]>([
    ['that is correct', {}, []],
    ['without a scheme', { scheme: undefined }, ['v2-scheme']],
    ['with a scheme that is not a string', { scheme: ['exact'] }, ['v2-scheme']],
    ['with a custom scheme', { scheme: 'deferred' }, ['v2-scheme-known']],
    ['on a network of version 1', { network: 'base' }, ['v2-network-not-v1-name']],
    ['without a network', { network: undefined }, ['v2-network-caip2']],
    ['on a network with an almost valid CAIP-2 id', { network: 'EIP155:8453' }, ['v2-network-caip2']],
    ['on an unknown network', { network: 'sapiom:main' }, ['v2-network-known', 'v2-network-cdp']],
    ['on a network where CDP does not settle', CELO, ['v2-network-cdp']],
    ['on a test network', { network: 'eip155:84532' }, ['v2-network-mainnet']],
    ['with a numeric amount', { amount: 10_000 }, ['v2-amount-string']],
    ['with an amount in dollars', { amount: '$0.01' }, ['v2-amount-string']],
    ['with a decimal amount', { amount: '0.01' }, ['v2-amount-string']],
    ['without an amount', { amount: undefined }, ['v2-amount-string']],
    ['with an amount over 256 bits', { amount: '9'.repeat(80) }, ['v2-amount-string']],
    ['with an amount of zero', { amount: '0' }, ['v2-amount-positive']],
    ['with an amount below the CDP minimum', { amount: '999' }, ['v2-amount-cdp-floor']],
    ['with an amount below the CDP minimum on another network', { ...CELO, amount: '1' }, ['v2-network-cdp']],
    [
      'with the amount under its version 1 name',
      { amount: undefined, maxAmountRequired: '1' },
      ['v2-no-max-amount'],
    ],
    ['with the amount under both names', { maxAmountRequired: '10000' }, ['v2-no-max-amount']],
    [
      'with members of version 1',
      { resource: 'https://api.example.com', outputSchema: {} },
      ['v2-unknown-keys'],
    ],
    ['without extra', { extra: undefined }, []],
  ])('%s', (_, change, expected) => {
    expect(faults(readV2(change))).toEqual(expected);
  });

  test.each<[string, JsonObject, string]>([
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
    expect(getResult(readV2(change), id)).toBe(result);
  });

  test('with the version 1 amount alone is not payable, and with both is a hygiene finding', () => {
    expect(getCheck(readV2({ amount: undefined, maxAmountRequired: '1' }), 'v2-no-max-amount').axis).toBe(
      'payable',
    );
    expect(getCheck(readV2({ maxAmountRequired: '1' }), 'v2-no-max-amount').axis).toBe('hygiene');
  });

  test('names the first three unknown members and counts the others', () => {
    const unknownMembers = {
      ['__proto__x']: 1,
      price: '$1',
      currency: 'USD',
      recipient: 'me',
      resource: 'r',
    };
    const { message } = getCheck(readV2(unknownMembers), 'v2-unknown-keys');
    expect(message).toContain('"__proto__x", "price", "currency" and 2 more');
  });

  test('ignores inherited members', () => {
    const option: unknown = JSON.parse(
      '{"__proto__":{"scheme":"exact","network":"eip155:8453","amount":"1"}}',
    );
    const challenge = readChallenge(v2Response(v2Envelope({ accepts: [option] })));
    expect(getResult(challenge, 'v2-scheme')).toBe('fail error');
  });
});

describe('a rule', () => {
  const rule = (id: string): Rule | undefined => V2_OPTION_RULES.find((candidate) => candidate.id === id);

  test('about observed CDP behavior cites no CDP document', () => {
    expect(rule('v2-amount-cdp-floor')?.reference).toEqual({ source: 'TOUCHSTONE', clause: '' });
  });

  test('about schemes refers to the specification', () => {
    const { message } = getCheck(readV2({ scheme: 'deferred' }), 'v2-scheme-known');
    expect(message).toBe('scheme is "deferred", which the specification does not define.');
    expect(rule('v2-scheme-known')?.requirement).toBe(
      'The specification defines the scheme of every option.',
    );
  });
});

describe('many options', () => {
  test('are listed by CDP if one of them qualifies', () => {
    expect(getResult(readOptions(CELO, {}), 'v2-network-cdp')).toBe('pass');
    expect(getCheck(readOptions(CELO, CELO, CELO), 'v2-network-cdp').message).toContain(
      '"eip155:42220" and 2 more',
    );
  });

  test('are reported with the most severe fault', () => {
    const challenge = readOptions({ maxAmountRequired: '1' }, { maxAmountRequired: '1', amount: undefined });
    expect(getResult(challenge, 'v2-no-max-amount')).toBe('fail error');
  });

  test('that are not objects are skipped', () => {
    const challenge = readChallenge(v2Response(v2Envelope({ accepts: [null, 'exact', 7] })));
    for (const id of ids) expect(getResult(challenge, id)).toBe('skip');
  });
});
