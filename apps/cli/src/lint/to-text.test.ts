import { describe, expect, it } from 'vitest';
import { savedAnswer } from '../testing/answers.ts';
import { jsonLines } from '../testing/command.ts';
import { runHere } from '../testing/run-here.ts';

async function lint(answer: unknown, ...args: readonly string[]) {
  const { code, stdout } = await runHere(['lint', ...args, '--file', '-'], JSON.stringify(answer));
  return { code, stdout, line: stdout.trimEnd().split('\n').at(-1), text: stdout.replace(/\s+/g, ' ') };
}

describe('the last line says the verdict with the counts', () => {
  it.each([
    ['Payable with warnings: 0 errors', 0, savedAnswer()],
    ['Payable with errors: ', 1, savedAnswer({}, { amount: '0' })],
    ['Payable with errors: 1 error', 1, savedAnswer({ url: 'http://api.example.com/v1/weather' })],
    ['Unpayable: ', 1, savedAnswer({ status: 404, headers: {} })],
    ['Not judged: 0 errors', 2, savedAnswer({ status: 429, headers: {} })],
  ])('%s (exit code %i)', async (words, exitCode, answer) => {
    const { code, line } = await lint(answer);
    expect(line).toContain(words);
    expect(code).toBe(exitCode);
  });
});

describe('who can pay', () => {
  it('is who would sign', async () => {
    const { text } = await lint(savedAnswer());
    expect(text).toContain(
      'Version 2 clients would sign a payment for this. Version 1 clients would not. Asks',
    );
  });

  it('is doubted where an error stands in the way', async () => {
    const { text } = await lint(savedAnswer({}, { extra: { name: 'USDC', version: '2' } }));
    expect(text).toContain('But with the errors below the payment may fail or be lost.');
  });

  it('is nobody', async () => {
    const { text } = await lint(savedAnswer({ status: 200, headers: {} }));
    expect(text).toContain('No client would sign a payment for this.');
  });
});

describe('an answer that leaves open whether it is to be paid', () => {
  const limited = savedAnswer({ status: 429, headers: { 'Retry-After': '10' } });

  it('is told as that, with what to do', async () => {
    const { text } = await lint(limited);
    expect(text).toContain('GET could not be judged: it was answered 429 (Retry-After: 10).');
    expect(text).toContain('It was asked too often: wait for 10 seconds, and ask again.');
    expect(text).not.toContain('No client');
  });

  it('has a verdict and a note in JSON', async () => {
    const { stdout } = await lint(limited, '--json');
    expect(jsonLines(stdout)[0]).toMatchObject({
      verdict: 'undetermined',
      notes: [expect.stringContaining('wait for 10 seconds')],
    });
  });

  it('is counted apart', async () => {
    const input = [limited, savedAnswer()].map((answer) => JSON.stringify(answer)).join('\n');
    const { code, stderr } = await runHere(['lint', '--json', '--file', '-'], input);
    expect([code, stderr]).toEqual([2, '2 answers, 0 with errors, 1 could not be judged\n']);
  });
});
