import { describe, expect, it } from 'vitest';
import { createSavedResponse } from '../../testing/saved-response.ts';
import { jsonLines } from '../../testing/run-command.ts';
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
    ['Undetermined: 0 errors', 2, createSavedResponse({ status: 429, headers: {} })],
  ])('has the verdict and the counts: %s (exit code %i)', async (verdict, exitCode, response) => {
    const { code, line } = await lint(response);
    expect(line).toContain(verdict);
    expect(code).toBe(exitCode);
  });
});

describe('a lint report', () => {
  it('names the client versions that would sign', async () => {
    const { text } = await lint(createSavedResponse());
    expect(text).toContain('Version 2 clients would sign this payment. Version 1 clients would not. Price:');
  });

  it('warns that a payment may fail because of an error', async () => {
    const { text } = await lint(createSavedResponse({}, { extra: { name: 'USDC', version: '2' } }));
    expect(text).toContain('Because of the errors below, the payment may fail or be lost.');
  });

  it('states that no client would sign', async () => {
    const { text } = await lint(createSavedResponse({ status: 200, headers: {} }));
    expect(text).toContain('No x402 client would sign a payment.');
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

  it('has a verdict and a note in JSON', async () => {
    const { stdout } = await lint(limited, '--json');
    expect(jsonLines(stdout)[0]).toMatchObject({
      verdict: 'undetermined',
      notes: [expect.stringContaining('Wait 10 seconds')],
    });
  });

  it('is counted separately in the totals', async () => {
    const input = [limited, createSavedResponse()].map((response) => JSON.stringify(response)).join('\n');
    const { code, stderr } = await runInProcess(['lint', '--json', '--file', '-'], input);
    expect([code, stderr]).toEqual([2, '2 responses, 0 with errors, 1 undetermined\n']);
  });
});
