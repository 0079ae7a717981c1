import type { PaymentOption } from '@touchstone/x402';
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../testing/run-in-process.ts';
import { createChallengeHeaders, createEnvelope, createSavedResponse } from '../testing/saved-response.ts';
import { formatOptions } from './format-result.ts';

const OTHER = '0x1111111111111111111111111111111111111111';

async function lint(response: unknown, ...args: readonly string[]) {
  const { code, stdout } = await runInProcess(['lint', ...args, '--file', '-'], JSON.stringify(response));
  return { code, stdout, line: stdout.trimEnd().split('\n').at(-1), text: stdout.replace(/\s+/g, ' ') };
}

describe('the last line of a lint report', () => {
  it.each([
    ['Payable with warnings: 0 errors', 0, createSavedResponse()],
    ['Payable with other settings: 0 errors', 0, createSavedResponse({}, { amount: '25000000' })],
    ['Payable with errors: ', 1, createSavedResponse({}, { amount: 10_000 })],
    ['Payable with errors: 1 error', 1, createSavedResponse({ url: 'http://api.example.com/v1/weather' })],
    ['Unpayable: ', 1, createSavedResponse({ status: 404, headers: {} })],
    ['Unpayable: ', 1, createSavedResponse({}, { extra: { name: 'USDC', version: '2' } })],
    ['Undetermined: 0 errors', 2, createSavedResponse({ status: 429, headers: {} })],
  ])('has the verdict and the counts: %s (exit code %i)', async (verdict, exitCode, response) => {
    const { code, line } = await lint(response);
    expect(line).toContain(verdict);
    expect(code).toBe(exitCode);
  });
});

describe('the first lines of a lint report', () => {
  it('say what agents do, and what the seller should do first, as in the JSON', async () => {
    const response = createSavedResponse({}, { network: 'base' });
    const [url, ...lines] = (await lint(response)).stdout.split('\n\n')[0]?.split('\n') ?? [];
    expect(url).toBe('https://api.example.com/v1/weather');
    const json = JSON.parse((await lint(response, '--json')).stdout) as Record<string, string>;
    expect(json['outcome']).toBe('refused');
    expect(lines.join(' ')).toBe(`${json['headline']} First: ${json['step']}`);
  });
});

describe('--code', () => {
  it.each([
    [[], 'Code for Express', "from '@x402/express'"],
    [['--code', 'go'], 'Code for Go (Gin)', 'ginmw.X402Payment'],
  ])('prints the repaired route: %j', async (args, title, line) => {
    const response = createSavedResponse({}, { network: 'base' });
    const { stdout } = await lint(response, ...(args.length === 0 ? ['--code'] : args));
    expect(stdout).toContain(`${title}\nRepairs `);
    expect(stdout).toContain(line);
  });

  it('says that there is nothing to repair', async () => {
    expect((await lint(createSavedResponse(), '--code')).text).toContain('There is no code: ');
    const json = JSON.parse((await lint(createSavedResponse(), '--json', '--code')).stdout) as object;
    expect(json).toMatchObject({ code: null });
  });

  it('keeps the indentation, and no control character of the endpoint', async () => {
    const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
    const response = createSavedResponse(
      { url: 'https://api.example.com/v1/\u001b[31m' },
      { network: 'base', payTo },
    );
    const { stdout } = await lint(response, '--code', 'hono');
    expect(stdout).toContain('\n            payTo: ');
    expect(stdout).not.toContain('\u001b');
  });
});

describe('a lint report', () => {
  it('names the client versions that would sign, and states that the payment can settle', async () => {
    const { text } = await lint(createSavedResponse());
    expect(text).toContain(
      'Version 2 clients would sign this payment. Version 1 clients would not. Nothing in the response prevents its settlement. Price:',
    );
  });

  it('names the clients that pay after an interim response 100', async () => {
    const { text } = await lint(createSavedResponse({ interimStatuses: [100] }));
    expect(text).toContain(
      'Version 2 clients that use axios would sign this payment; clients that use fetch of Node.js would not. Version 1 clients would not.',
    );
  });

  it.each([
    [
      { amount: '25000000' },
      'The price is over the default limit of clients: set spendControls.maxAmountPerPayment of @x402/core to at least $25 (default $1)',
    ],
    [
      { scheme: 'upto', extra: { facilitatorAddress: OTHER } },
      'Clients pay this after a change of their default settings. The buyer must register UptoEvmScheme of @x402/evm/upto/client for the scheme upto',
    ],
    [
      { asset: OTHER, extra: { name: 'EURC', version: '2' } },
      `Clients pay this after a change of their default settings. The buyer must add {network: "eip155:8453", asset: "${OTHER}", maxAmountPerPayment: "10000"} to spendControls.allowedAssets of @x402/core`,
    ],
  ])('names the setting that clients need for %j', async (change, setting) => {
    const { text } = await lint(createSavedResponse({}, change));
    expect(text).toContain(`${setting}. Nothing in the response then prevents its settlement.`);
  });

  it('names no setting for a token that is falsely named USDC', async () => {
    const { text } = await lint(createSavedResponse({}, { asset: OTHER }));
    expect(text).toContain(
      `The reference clients would not sign a payment with their default settings. The signed payment would fail or be lost. Version 2: The token "${OTHER}" is named USDC but is not`,
    );
  });

  it('gives the reason why a signed payment would fail', async () => {
    const { text } = await lint(createSavedResponse({}, { extra: { name: 'USDC', version: '2' } }));
    expect(text).toContain('Version 2 clients would sign this payment. Version 1 clients would not.');
    expect(text).toContain(
      'The signed payment would fail or be lost. Version 2: extra names the token "USDC" version "2", but the contract signs as USD Coin version 2, so it rejects the payment. Price:',
    );
  });

  it('names the version whose payment would settle when the payment of the other would not', async () => {
    const { accepts, ...envelope } = createEnvelope('https://api.example.com/v1/weather', {
      payTo: '0x000000000000000000000000000000000000dEaD',
    });
    const v1 = {
      x402Version: 1,
      error: 'Payment required',
      accepts: [
        {
          ...(accepts as readonly object[])[0],
          network: 'base',
          maxAmountRequired: '10000',
          resource: 'https://api.example.com/v1/weather',
          description: 'Weather by city',
          mimeType: 'application/json',
          payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
        },
      ],
    };
    const headers = createChallengeHeaders({ ...envelope, accepts });
    const { text } = await lint(createSavedResponse({ headers, body: JSON.stringify(v1) }));
    expect(text).toContain(
      'Clients of both x402 versions would sign this payment. Only the payment of version 1 clients would settle. Version 2: payTo is',
    );
  });

  it.each([
    ['different amounts', { maxAmountRequired: '20000' }],
    ['different addresses', { payTo: OTHER }],
  ])('names what clients of the two versions would pay: %s', async (difference, change) => {
    const url = 'https://api.example.com/v1/weather';
    const envelope = createEnvelope(url);
    const { amount, ...option } = (envelope['accepts'] as readonly Record<string, unknown>[])[0] ?? {};
    const v1Option = {
      ...{ ...option, network: 'base', maxAmountRequired: amount, resource: url },
      ...{ description: 'Weather by city', mimeType: 'application/json', ...change },
    };
    const body = JSON.stringify({ x402Version: 1, error: 'Payment required', accepts: [v1Option] });
    const { text } = await lint(createSavedResponse({ headers: createChallengeHeaders(envelope), body }));
    expect(text).toContain(
      `Clients of both x402 versions would sign this payment. Clients of version 1 and of version 2 would pay ${difference}. Price in the header: 0.01`,
    );
  });

  it('names terms without a valid version that clients pay all the same', async () => {
    const { accepts } = createEnvelope('https://api.example.com/v1/weather');
    const option = {
      ...(accepts as readonly object[])[0],
      ...{ network: 'base', maxAmountRequired: '10000', resource: 'https://api.example.com/v1/weather' },
      ...{ description: 'Weather by city', mimeType: 'application/json' },
    };
    const body = JSON.stringify({ x402Version: null, accepts: [option] });
    const { text } = await lint(createSavedResponse({ headers: {}, body }));
    expect(text).toContain('402 with payment terms of no valid x402 version. Version 1 clients would sign');
    expect(text).toContain('x402Version is null; it must be the number 1.');
    expect(text).not.toContain('No payment envelope');
  });

  it('gives the reason why a rule was not evaluated, with --all', async () => {
    const bazaar = { info: {}, schema: { properties: { input: { pattern: '^B' } } } };
    const envelope = { ...createEnvelope('https://api.example.com/v1/weather'), extensions: { bazaar } };
    const { text } = await lint(createSavedResponse({ headers: createChallengeHeaders(envelope) }), '--all');
    expect(text).toContain(
      'bazaar-schema: bazaar.schema has the keyword "pattern", which this rule does not check.',
    );
  });

  it('warns that others may reject a payment because of an error', async () => {
    const { text } = await lint(createSavedResponse({}, { amount: 10_000 }));
    expect(text).toContain(
      'Because of the errors below, other clients or facilitators may reject the payment.',
    );
  });
});

describe('an undetermined response', () => {
  const limited = createSavedResponse({ status: 429, headers: { 'Retry-After': '10' } });

  it('is printed with advice', async () => {
    const { text } = await lint(limited);
    expect(text).toContain(
      'GET returned 429 (Retry-After: 10), which does not show if the endpoint requires payment.',
    );
    expect(text).toContain('The endpoint limits the request rate. Wait 10 seconds, and try again.');
    expect(text).not.toContain('The reference clients would not');
  });

  it('is counted separately in the totals', async () => {
    const input = [limited, createSavedResponse()].map((response) => JSON.stringify(response)).join('\n');
    const { code, stderr } = await runInProcess(['lint', '--json', '--file', '-'], input);
    expect([code, stderr]).toEqual([2, '2 responses, 0 with errors, 1 undetermined\n']);
  });
});

const option: PaymentOption = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetSymbol: 'USDC',
  decimals: 6,
  amount: 10_000n,
  amountUsd: '0.010000',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  maxTimeoutSeconds: 60,
  extra: null,
  falseUsdc: false,
};
const formatFirstLine = (change: Partial<PaymentOption>): string | undefined =>
  formatOptions([{ ...option, ...change }], 200)[0];

describe('formatOptions', () => {
  it('prints price, network and receiving address', () => {
    expect(formatOptions([option], 80)).toEqual([
      'Price: 0.01 USDC ($0.01) on eip155:8453',
      '  to 0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    ]);
  });

  const expectations: readonly (readonly [line: string, change: Partial<PaymentOption>])[] = [
    ['Price: 1.5 USDC ($1.50) on eip155:8453', { amount: 1_500_000n, amountUsd: '1.500000' }],
    ['Price: 100 USDC ($100.00) on eip155:8453', { amount: 100_000_000n, amountUsd: '100.000000' }],
    ['Price: 0 USDC ($0.00) on eip155:8453', { amount: 0n, amountUsd: '0.000000' }],
    ['Price: 7 USDC on eip155:8453', { amount: 7n, decimals: 0, amountUsd: null }],
    [
      'Price: 10000 atomic units of 0xabc on eip155:8453',
      { decimals: null, assetSymbol: null, asset: '0xabc' },
    ],
    [`Price: no valid amount of ${option.asset} on eip155:8453`, { amount: null }],
    [
      'Price: 10000 atomic units of 0xabc, which claims to be USDC but is not, on eip155:8453',
      { decimals: null, assetSymbol: null, asset: '0xabc', falseUsdc: true },
    ],
  ];
  // A loop replaces `it.each`, which cannot print the bigint values.
  for (const [line, change] of expectations) {
    it(`prints "${line}"`, () => {
      expect(formatFirstLine(change)).toBe(line);
    });
  }

  it('prints at most five options', () => {
    const lines = formatOptions(
      Array.from({ length: 8 }, () => option),
      80,
    );
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe('and 3 more');
    expect(lines[2]).toMatch(/^or 0.01 USDC/);
  });
});
