import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_POLICY } from '@touchstone/guard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type GuardedEndpoint,
  type GuardService,
  type Offers,
  runGuard,
  startEndpoint,
  startGuardService,
} from '../testing/guarded-endpoint.ts';
import { createKeys } from '../testing/reports.ts';
import { jsonLines } from '../testing/run-command.ts';
import { runInProcess } from '../testing/run-in-process.ts';
import { startServer } from '../testing/serve.ts';

let folder: string;
let service: GuardService;
let unknowing: GuardService;
let healthy: GuardedEndpoint;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-guard-'));
  [service, unknowing, healthy] = await Promise.all([
    startGuardService({ endpoint: { confidence: 0.9 } }),
    startGuardService({ endpoint: null }),
    startEndpoint(),
  ]);
});
afterAll(async () => {
  for (const server of [service, unknowing, healthy]) await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const OTHER = '0x1111111111111111111111111111111111111111';

function writeFile(name: string, value: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

const guard = (url: string, ...args: readonly string[]) => runGuard(service, url, args);

async function guardOffers(offers: Offers, ...args: readonly string[]) {
  await using endpoint = await startEndpoint(offers);
  return await guard(endpoint.url, ...args);
}

describe('touchstone guard', () => {
  it('exits with 0 for terms that agree with the observations', async () => {
    const { code, text, stderr } = await guard(healthy.url);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(text).toContain('GET returned 402. Checked 1 payment option.');
    expect(text).toContain('Price: 0.01 USDC ($0.01) on eip155:8453');
    expect(text).toContain('Observed by Touchstone Grade');
    expect(text).toMatch(/ Pay $/);
  });

  it('pays nothing, and sends the URL to the service without its query', async () => {
    await guard(`${healthy.url}?token=secret`);
    expect(healthy.headerNames).toContain('host');
    expect(healthy.headerNames.filter((name) => /payment/.test(name))).toEqual([]);
    expect(service.lookups.at(-1)?.searchParams.get('resource')).toBe(healthy.url);
    expect(service.lookups.map(String).join(' ')).not.toContain('secret');
  });

  it('sends the service no URL with --private', async () => {
    const before = service.lookups.length;
    const { stdout } = await guard(healthy.url, '--private', '--json');
    expect(service.lookups).toHaveLength(before);
    // The host is on this machine, so no range contains it.
    const reasons = [expect.objectContaining({ code: 'not-accepted' })] as unknown;
    expect(jsonLines(stdout)[0]).toMatchObject({ statement: null, options: [{ reasons }] });
  });

  it.each([
    ['another wallet', { payTo: '0x1111111111111111111111111111111111111111' }, 'pay-to-mismatch'],
    ['a price of 100 times', { amount: '1000000' }, 'price-multiple'],
    ['an authorization for a year', { maxTimeoutSeconds: 31_536_000 }, 'lifetime'],
    ['another token', { asset: '0x2222222222222222222222222222222222222222' }, 'asset-mismatch'],
  ])('exits with 1 for %s', async (_, offer, reason) => {
    const { code, stdout } = await guardOffers([offer], '--json');
    const [result] = jsonLines(stdout);
    expect([code, result?.['action']]).toEqual([1, 'abort']);
    expect(result?.['options']).toMatchObject([
      {
        action: 'abort',
        reasons: expect.arrayContaining([expect.objectContaining({ code: reason })]) as unknown,
      },
    ]);
  });

  it('exits with 1 when the signed payment would fail', async () => {
    const { code, text } = await guardOffers([{ extra: { name: 'USDC', version: '2' } }]);
    expect(code).toBe(1);
    expect(text).toContain(
      'Do not pay: The reference clients would make no payment that settles. extra names the token',
    );
  });

  it.each([
    [{ amount: '1000001' }, 0, 'Pay: The price is over the default limit of clients: set'],
    [{ scheme: 'upto', extra: { facilitatorAddress: OTHER } }, 1, 'Warning: Clients pay this after a change'],
  ])('names the settings for %j (exit code %i with --strict)', async (offer, code, text) => {
    const price = { lowUsd: '0.010000', highUsd: '2.000000' };
    await using expensive = await startGuardService({ endpoint: { confidence: 0.9, priceRange30d: price } });
    await using endpoint = await startEndpoint([offer]);
    const result = await runGuard(expensive, endpoint.url, ['--strict']);
    expect(result.text).toContain(text);
    expect(result.code).toBe(code);
  });

  it('counts the strictest decision on several options, or only those of --network', async () => {
    const offers = [{}, { network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' }];
    const all = await guardOffers(offers, '--json');
    expect(all.code).toBe(1);
    expect(jsonLines(all.stdout)[0]).toMatchObject({
      action: 'abort',
      options: [{ action: 'pay' }, { action: 'abort', network: 'eip155:137' }],
    });
    expect((await guardOffers(offers, '--network', 'eip155:8453')).code).toBe(0);
    expect((await guardOffers(offers, '--network', 'base')).code).toBe(0);
    const none = await guardOffers(offers, '--network', 'eip155:1');
    expect([none.code, none.stderr]).toEqual([
      2,
      'The endpoint has no payment option on eip155:1. It offers eip155:8453, eip155:137.\n',
    ]);
  });

  it('checks at most 16 payment options', async () => {
    const before = service.lookups.length;
    const { code, stderr } = await guardOffers(Array.from({ length: 17 }, () => ({})));
    expect([code, stderr]).toEqual([2, expect.stringContaining('17 payment options; at most 16')]);
    expect(service.lookups).toHaveLength(before);
  });

  it('prints no control characters of the endpoint', async () => {
    const { code, stdout } = await guardOffers([{ payTo: '0x\u001b[31mred' }]);
    expect(code).toBe(1);
    expect(stdout).not.toContain('\u001b');
  });
});

describe('an endpoint that Touchstone does not know', () => {
  it('is a warning, which --strict and --unknown turn into exit code 1', async () => {
    const args = ['--service', unknowing.base];
    const { code, text } = await guard(healthy.url, ...args);
    expect(code).toBe(0);
    expect(text).toMatch(/Warning: Touchstone does not know this endpoint\. .*Pay, with warnings $/);
    const strict = await guard(healthy.url, ...args, '--strict');
    expect([strict.code, strict.text]).toEqual([1, expect.stringMatching(/ Do not pay \(--strict\) $/)]);
    expect((await guard(healthy.url, ...args, '--unknown', 'abort')).code).toBe(1);
    expect((await guard(healthy.url, ...args, '--unknown', 'pay', '--strict')).code).toBe(0);
  });
});

describe('the policy', () => {
  it.each([
    [['--max-usd', '0.009'], 1],
    [['--max-usd', '0.01'], 0],
  ])('changes the decision with %j', async (args, exitCode) => {
    expect((await guard(healthy.url, ...args)).code).toBe(exitCode);
  });

  it('comes from a file, and options overrule it', async () => {
    const file = writeFile('policy.json', { maxPriceUsd: '0.001' });
    expect((await guard(healthy.url, '--policy', file)).code).toBe(1);
    expect((await guard(healthy.url, '--policy', file, '--max-usd', '1')).code).toBe(0);
  });

  it.each([
    [['--max-price-multiple', 'high'], 'high'],
    [['--max-first-usd', 'cheap'], '--max-first-usd must be'],
    [['--opted-out', 'ignore'], 'ignore'],
    [['--max-usd', 'cheap'], '--max-usd must be'],
    [['--max-unknown-usd', 'cheap'], '--max-unknown-usd must be'],
    [['--min-grade', 'E'], 'E'],
    [['--unknown', 'ignore'], 'ignore'],
    [['--policy', '/nowhere/policy.json'], '/nowhere/policy.json does not exist.'],
    [['--policy', import.meta.filename], 'is not valid JSON.'],
  ])('is refused if it is invalid: %j', async (args, message) => {
    const { code, stdout, stderr } = await guard(healthy.url, ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });

  it.each([[[]], [{ maxPrice: 1 }], [{ recommendations: { avoid: 'never' } }]])(
    'is refused if its file has invalid content: %j',
    async (content) => {
      const file = writeFile('bad.json', content);
      const { code, stderr } = await guard(healthy.url, '--policy', file);
      expect([code, stderr.includes('    at ')]).toEqual([2, false]);
      expect(stderr).toContain(`--policy ${file} `);
    },
  );

  it('may have every rule of the package', async () => {
    const file = writeFile('full.json', DEFAULT_POLICY);
    expect((await guard(healthy.url, '--policy', file)).code).toBe(0);
  });
});

describe('statements of the service', () => {
  it('must be signed by the keys of --keys, which may be a file or a service', async () => {
    const right = writeFile('right.json', service.keys.published);
    const wrong = writeFile('wrong.json', (await createKeys('https://touchstone.example')).published);
    expect((await guard(healthy.url, '--keys', right)).code).toBe(0);
    expect((await guard(healthy.url, '--keys', service.base)).code).toBe(0);
    const { code, stdout } = await guard(healthy.url, '--keys', wrong, '--json');
    expect(code).toBe(1);
    expect(jsonLines(stdout)[0]).toMatchObject({
      action: 'abort',
      statement: null,
      options: [{ reasons: [{ code: 'invalid-signature' }] }],
    });
  });

  it('are missing when the service cannot be reached: exit code 2, or the action of --unreachable', async () => {
    const keys = writeFile('keys.json', service.keys.published);
    const gone = await startServer((_, response) => response.end());
    await gone[Symbol.asyncDispose]();
    const args = ['--service', `http://127.0.0.1:${String(gone.port)}`];
    const { code, stderr } = await guard(healthy.url, ...args, '--keys', keys);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^No decision: Touchstone made no statement on this payment\. .*127\.0\.0\.1/);
    expect((await guard(healthy.url, ...args, '--keys', keys, '--unreachable', 'warn')).code).toBe(0);
    const withoutKeys = await guard(healthy.url, ...args);
    expect([withoutKeys.code, withoutKeys.stderr]).toEqual([2, expect.stringContaining('--keys')]);
  });
});

describe('invalid arguments', () => {
  it.each([
    [['guard', 'https://api.example.com/']],
    [['guard', '--service', 'http://touchstone.example', 'https://api.example.com/']],
    [['guard', '--service', 'https://touchstone.example', '--sandbox', 'https://a.sandbox.test/']],
    [['guard', '--sandbox', '--data-dir', '/nowhere', 'https://a.sandbox.test/']],
    [['guard', '--service', 'https://touchstone.example', 'http://localhost:1/']],
    [['guard']],
  ])('lead to exit code 2 and a message: %j', async (args) => {
    const { code, stdout, stderr } = await runInProcess(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toBe('');
    expect(stderr).not.toContain('    at ');
  });
});
