import { describe, expect, it } from 'vitest';
import { runInProcess } from '../testing/run-in-process.ts';
import { createChallengeHeaders, createEnvelope, createSavedResponse } from '../testing/saved-response.ts';

const bazaar = {
  info: { input: { type: 'http', method: 'GET' }, output: { type: 'json', example: { celsius: 21 } } },
  schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', properties: { input: {} } },
};
const envelope = { ...createEnvelope('https://api.example.com/v1/weather'), extensions: { bazaar } };
const RESPONSES = {
  clean: createSavedResponse({ headers: createChallengeHeaders(envelope) }),
  // The response lacks the `bazaar` extension, which is a warning.
  warning: createSavedResponse(),
  error: createSavedResponse({}, { amount: 10_000 }),
  unpayable: createSavedResponse({ status: 404, headers: {} }),
  undetermined: createSavedResponse({ status: 429, headers: {} }),
};

async function lint(response: keyof typeof RESPONSES, ...args: readonly string[]): Promise<number | null> {
  const saved = JSON.stringify(RESPONSES[response]);
  return (await runInProcess(['lint', '--file', '-', ...args], saved)).code;
}

describe('touchstone lint --fail-on', () => {
  it.each([
    ['clean', [0, 0, 0]],
    ['warning', [0, 0, 1]],
    ['error', [0, 1, 1]],
    ['unpayable', [1, 1, 1]],
    ['undetermined', [2, 2, 2]],
  ] as const)('exits for a response that is %s with %j', async (response, codes) => {
    const exitCodes = await Promise.all(
      ['unpayable', 'error', 'warning'].map((failOn) => lint(response, '--fail-on', failOn)),
    );
    expect(exitCodes).toEqual(codes);
    expect(await lint(response)).toBe(codes[1]);
  });

  it('names the faults in the totals of several responses', async () => {
    const two = `${JSON.stringify(RESPONSES.clean)}\n${JSON.stringify(RESPONSES.warning)}`;
    const { stderr } = await runInProcess(['lint', '--file', '-', '--fail-on', 'warning'], two);
    expect(stderr).toBe('2 responses, 1 with errors or warnings\n');
  });

  it('rejects another value', async () => {
    const { code, stderr } = await runInProcess(['lint', '--file', '-', '--fail-on', 'all']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('unpayable, error, warning')]);
  });
});
