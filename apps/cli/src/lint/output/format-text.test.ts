import { describe, expect, it } from 'vitest';
import { createChallengeHeaders, createEnvelope, createSavedResponse } from '../../testing/saved-response.ts';
import { runInProcess } from '../../testing/run-in-process.ts';

async function lint(response: unknown, ...args: readonly string[]) {
  const { code, stdout } = await runInProcess(['lint', ...args, '--file', '-'], JSON.stringify(response));
  return { code, stdout, line: stdout.trimEnd().split('\n').at(-1), text: stdout.replace(/\s+/g, ' ') };
}

describe('the last line of a lint report', () => {
  it.each([
    ['Payable with warnings: 0 errors', 0, createSavedResponse()],
    ['Payable with errors: ', 1, createSavedResponse({}, { amount: '0' })],
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

describe('a lint report', () => {
  it('names the client versions that would sign, and states that the payment can settle', async () => {
    const { text } = await lint(createSavedResponse());
    expect(text).toContain(
      'Version 2 clients would sign this payment. Version 1 clients would not. Nothing in the response prevents its settlement. Price:',
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

  it('gives the reason why a rule was not evaluated, with --all', async () => {
    const bazaar = { info: {}, schema: { properties: { input: { pattern: '^B' } } } };
    const envelope = { ...createEnvelope('https://api.example.com/v1/weather'), extensions: { bazaar } };
    const { text } = await lint(createSavedResponse({ headers: createChallengeHeaders(envelope) }), '--all');
    expect(text).toContain(
      'bazaar-schema: bazaar.schema has the keyword "pattern", which this rule does not check.',
    );
  });

  it('warns that others may reject a payment because of an error', async () => {
    const { text } = await lint(createSavedResponse({}, { amount: '0' }));
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
    expect(text).not.toContain('No x402 client');
  });

  it('is counted separately in the totals', async () => {
    const input = [limited, createSavedResponse()].map((response) => JSON.stringify(response)).join('\n');
    const { code, stderr } = await runInProcess(['lint', '--json', '--file', '-'], input);
    expect([code, stderr]).toEqual([2, '2 responses, 0 with errors, 1 undetermined\n']);
  });
});
