import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createGuard } from './guard.ts';
import type { GuardOptions } from './guard-options.ts';
import { fetchKeys } from './statement/keys.ts';
import { DEFAULT_POLICY, toPolicy } from './decision/policy.ts';
import { listen } from './testing/listen.ts';
import { KEYS } from './testing/touchstone.ts';

const GOOD: GuardOptions = { service: 'https://touchstone.example', keys: KEYS.published.keys };

/** Calls a function with values that TypeScript would refuse, as programs in JavaScript can. */
const create = (change: object) => () => createGuard({ ...GOOD, ...change });

describe('createGuard', () => {
  it.each<[string, object]>([
    ['service must be an https URL', { service: 'touchstone.example' }],
    ['service must be an https URL', { service: 'http://touchstone.example' }],
    ['keys must be an array of 1 to 100', { keys: [] }],
    ['keys must be an array of 1 to 100', { keys: undefined }],
    ['A key must be a public Ed25519 JWK', { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'short', kid: 'k' }] }],
    ['A key must be a public Ed25519 JWK', { keys: [{ ...KEYS.published.keys[0], retiredAt: 'soon' }] }],
    ['cacheSeconds must be a number from 0', { cacheSeconds: -1 }],
    ["lookups must be 'exact' or 'range'; received private.", { lookups: 'private' }],
    ['rangeDigits must be 1, 2 or 3; received 4.', { rangeDigits: 4 }],
    ['timeoutMs must be a number from 1', { timeoutMs: Number.NaN }],
    ['report.aboveUsd must be a decimal number', { report: { aboveUsd: -1, fetch } }],
    ['policy has no member minGrad.', { policy: { minGrad: 'A' } }],
    ['policy has no member __proto__.', { policy: JSON.parse('{"__proto__":{}}') as object }],
    ['policy.maxUnknownPriceUsd must be a decimal number', { policy: { maxUnknownPriceUsd: 'ten' } }],
    ['policy.unverifiedUrl must be pay, warn or abort', { policy: { unverifiedUrl: null } }],
    ['policy.minGrade must be A, B, C, D, F or null', { policy: { minGrade: '?' } }],
    ['policy.unreachable must be pay, warn or abort', { policy: { unreachable: 'ignore' } }],
    ['policy.recommendations has no member good.', { policy: { recommendations: { good: 'pay' } } }],
    ['policy.recommendations.avoid must be pay', { policy: { recommendations: { avoid: null } } }],
    ['policy.minScore must be a number from 0 to 100', { policy: { minScore: '90' } }],
    ['policy.maxPriceUsd must be a decimal number', { policy: { maxPriceUsd: '$1' } }],
    ['policy.maxPriceMultiple must be a decimal number', { policy: { maxPriceMultiple: 1e-7 } }],
    ['policy.maxUsdPerDay must be a decimal number', { policy: { maxUsdPerDay: '1,5' } }],
    ['policy.maxLifetimeSeconds must be a number from 0', { policy: { maxLifetimeSeconds: -1 } }],
    ['policy.maxUndelivered must be a number from 1', { policy: { maxUndelivered: 0 } }],
    ['policy.repeatAfterSeconds must be a number from 0', { policy: { repeatAfterSeconds: null } }],
    ['policy.schemes must be a list of texts', { policy: { schemes: 'exact' } }],
    ['policy.networks must be a list of texts', { policy: { networks: [8453] } }],
    ['trace.rpc must have http or https URLs', { trace: { rpc: { base: 'localhost' } } }],
    ['policy.offers must be ignore, verify or require', { policy: { offers: 'always' } }],
  ])('refuses options: %s', (message, change) => {
    expect(create(change)).toThrow(message);
    expect(create(change)).toThrow(TypeError);
  });

  it('completes the policy with the defaults', () => {
    expect(toPolicy()).toEqual(DEFAULT_POLICY);
    const policy = toPolicy({ minScore: undefined, recommendations: { caution: 'abort' } });
    expect(policy).toEqual({
      ...DEFAULT_POLICY,
      recommendations: { ...DEFAULT_POLICY.recommendations, caution: 'abort' },
    });
  });
});

describe('fetchKeys', () => {
  it('fetches the key set of a service on this machine', async () => {
    let body = JSON.stringify(KEYS.published);
    const server = createServer((request, response) =>
      response.writeHead(request.url === '/.well-known/touchstone-keys.json' ? 200 : 404).end(body),
    );
    const { url, close } = await listen(server);
    try {
      const [key] = await fetchKeys(url);
      expect(key).toMatchObject({ kid: KEYS.signing.keyId, crv: 'Ed25519' });
      body = '{"keys":[{}]}';
      await expect(fetchKeys(url)).rejects.toThrow('A key must be a public Ed25519 JWK');
    } finally {
      await close();
    }
    await expect(fetchKeys(url)).rejects.toThrow('could not be reached');
  });

  it('requires https for other machines', async () => {
    for (const host of ['touchstone.example', '127.0.0.1.example', 'localhost.example'])
      await expect(fetchKeys(`http://${host}`)).rejects.toThrow('service must be an https URL');
  });
});
