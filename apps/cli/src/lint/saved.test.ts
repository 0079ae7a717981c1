import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { savedAnswer } from '../testing/answers.ts';
import { endOf, jsonLines, startTouchstone, touchstone } from '../testing/command.ts';
import { runHere } from '../testing/run-here.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-lint-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(...answers: readonly unknown[]): string {
  const file = join(folder, 'answers.jsonl');
  const lines = answers.map((answer) => (typeof answer === 'string' ? answer : JSON.stringify(answer)));
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
const clean = savedAnswer();
const free = savedAnswer({}, { amount: '0' });

describe('saved answers', () => {
  it('are judged one a line, and end with 0 when all is well', async () => {
    const { code, stdout, stderr } = await touchstone(['lint', '--json', '--file', fileOf(clean, clean)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '2 answers, 0 with errors\n' });
    const [first, second] = jsonLines(stdout);
    expect(second).toEqual(first);
    expect(first).toMatchObject({
      url: 'https://api.example.com/v1/weather',
      method: 'GET',
      status: 402,
      version: 2,
      payable: { v1: false, v2: true },
      options: [{ amount: '10000', amountUsd: '0.010000', network: 'eip155:8453' }],
      dialects: [],
    });
  });

  it('report each rule once, as judged or as skipped', async () => {
    const { code, stdout } = await runHere(['lint', '--json', '--file', fileOf(free)]);
    expect(code).toBe(1);
    const [line] = jsonLines(stdout);
    const checks = line?.['checks'] as Record<string, unknown>[];
    const failed = checks.find(({ id }) => id === 'v2-amount-positive');
    expect(failed).toMatchObject({ axis: 'payable', severity: 'error', pass: false });
    expect(Object.keys(failed ?? {})).toEqual([
      'id',
      'axis',
      'severity',
      'pass',
      'message',
      'fix',
      'reference',
    ]);
    expect(typeof failed?.['fix']).toBe('string');
    expect(checks.filter(({ pass, fix }) => pass === true && fix !== null)).toEqual([]);
    const ids = [...checks.map(({ id }) => id), ...(line?.['skipped'] as string[])];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('may be one object over many lines, or several', async () => {
    const pretty = JSON.stringify(free, null, 2);
    const one = await runHere(['lint', '--json', '--file', fileOf(pretty)]);
    expect([one.code, jsonLines(one.stdout).length, one.stderr]).toEqual([1, 1, '']);
    const several = await runHere(['lint', '--json', '--file', fileOf(pretty, clean, pretty)]);
    expect([several.code, jsonLines(several.stdout).length]).toEqual([1, 3]);
  });

  it('come from standard input, too', async () => {
    const { code, stdout } = await touchstone(['lint', '--json', '--file', '-'], JSON.stringify(clean));
    expect([code, jsonLines(stdout).length]).toEqual([0, 1]);
  });

  it('are judged around bad lines, each of which is named', async () => {
    const file = fileOf(
      clean,
      '{"url": "https://a.example", broken}',
      '',
      { ...clean, status: '402' },
      '[1]',
      free,
    );
    const { code, stdout, stderr } = await runHere(['lint', '--json', '--file', file]);
    expect(code).toBe(2);
    expect(jsonLines(stdout)).toHaveLength(2);
    const complaints = stderr.trim().split('\n');
    expect(complaints[0]).toMatch(/line 2: it is not JSON/);
    expect(complaints[1]).toMatch(/line 4: "status" must be a whole number from 100 to 999$/);
    expect(complaints[2]).toMatch(/line 5: it is a list: put each answer on a line of its own$/);
    expect(complaints[3]).toBe('2 answers, 1 with errors, 3 bad lines');
  });

  it.each([
    ['is not there', 'missing.jsonl', 'cannot be read: ENOENT'],
    ['is a folder', '.', 'cannot be read: EISDIR'],
  ])('end with 2 when the file %s', async (_, name, words) => {
    const { code, stdout, stderr } = await runHere(['lint', '--file', join(folder, name)]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });

  it('end with 2 when there is none', async () => {
    const { code, stderr } = await runHere(['lint', '--file', '-'], '\n\n');
    expect([code, stderr]).toEqual([2, 'standard input holds no answer.\n']);
  });

  it('may be a megabyte each', async () => {
    const { code, stdout } = await runHere(
      ['lint', '--json', '--file', '-'],
      `${JSON.stringify({ ...clean, note: 'x'.repeat(1_000_000) })}\n${JSON.stringify({ ...clean, body: '['.repeat(1_000_000) })}`,
    );
    expect([code, jsonLines(stdout).length]).toEqual([0, 2]);
  });

  it('are printed while the rest is still to come', async () => {
    const child = startTouchstone(['lint', '--json', '--file', '-']);
    child.stdin.write(`${JSON.stringify(clean)}\n`);
    const first = await new Promise<string>((resolve) =>
      child.stdout.once('data', (data) => resolve(String(data))),
    );
    expect(jsonLines(first)).toHaveLength(1);
    expect((await endOf(child, JSON.stringify(free))).code).toBe(1);
  });

  it('end quietly when nobody reads on', async () => {
    const child = startTouchstone(['lint', '--file', '-']);
    const line = `${JSON.stringify(free)}\n`;
    child.stdout.once('data', () => child.stdout.destroy());
    const ending = endOf(child, line.repeat(5_000));
    expect(await ending).toMatchObject({ code: 1, stderr: '' });
  });
});

describe('wrong arguments', () => {
  it.each([
    [['lint']],
    [['lint', 'https://api.example.com', '--file', 'x']],
    [['lint', '--file', 'x', '--method', 'POST']],
    [['lint', '--sandbox', '--allow-private', 'https://weather.sandbox.test']],
    [['lint', 'ftp://api.example.com']],
    [['lint', 'no-url']],
    [['lint', '--method', 'TRACE', 'https://api.example.com']],
    [['lint', '--verbose']],
    [['lint', '--ca', '/nowhere/ca.pem', 'https://api.example.com']],
    [['lint', '--json', '--all', '--file', 'x']],
    [['lint', '--data-dir', '.touchstone', 'https://api.example.com']],
    [['lint', 'https://ann:secret@api.example.com']],
    [['mend']],
    [[]],
  ])('%j end with 2 and a word on what to do', async (args) => {
    const { code, stdout, stderr } = await runHere(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toBe('');
    expect(stderr).not.toContain('    at ');
    expect(stderr).not.toContain('secret');
  });

  it('are spelled out by --help, with the exit codes', async () => {
    const { code, stdout } = await runHere(['lint', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Exit codes');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});
