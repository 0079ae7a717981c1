import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonLines, startTouchstone, waitForEnd } from '../testing/run-command.ts';
import { runInProcess } from '../testing/run-in-process.ts';
import { createSavedResponse } from '../testing/saved-response.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-lint-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeResponses(...responses: readonly unknown[]): string {
  const file = join(folder, 'responses.jsonl');
  const lines = responses.map((response) =>
    typeof response === 'string' ? response : JSON.stringify(response),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
const clean = createSavedResponse();
const formal = createSavedResponse({}, { amount: 10_000 });

describe('touchstone lint --file', () => {
  it('lints one response on each line and exits with 0 without errors', async () => {
    const { code, stdout, stderr } = await runInProcess([
      'lint',
      '--json',
      '--file',
      writeResponses(clean, clean),
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '2 responses, 0 with errors\n' });
    const [first, second] = jsonLines(stdout);
    expect(second).toEqual(first);
    expect(first).toMatchObject({
      url: 'https://api.example.com/v1/weather',
      method: 'GET',
      status: 402,
      version: 2,
      payable: { v1: false, v2: true },
      settles: { v1: false, v2: true },
      settlementFailures: { v1: null, v2: null },
      options: [{ amount: '10000', amountUsd: '0.010000', network: 'eip155:8453' }],
      dialects: [],
    });
  });

  it('states once that Node.js clients reject the headers', async () => {
    const headers = { ...(clean['headers'] as object), 'x-padding': 'a'.repeat(16_384) };
    const { code, stdout } = await runInProcess(['lint', '--file', writeResponses({ ...clean, headers })]);
    expect(code).toBe(1);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /The reference clients would not sign a payment\. The response headers have 17\.\d kB in total; Node\.js clients reject more than 16 kB\. Price:/,
    );
    expect(stdout).toContain('http-challenge-size');
    expect(stdout).toContain('Unpayable: 1 error');
  });

  it('reports each rule once, as applied or as skipped', async () => {
    const { code, stdout } = await runInProcess(['lint', '--json', '--file', writeResponses(formal)]);
    expect(code).toBe(1);
    const [line] = jsonLines(stdout);
    const checks = line?.['checks'] as Record<string, unknown>[];
    const failed = checks.find(({ id }) => id === 'v2-amount-string');
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

  it('accepts lines with unknown and invalid optional members, and names each of them once', async () => {
    const url = 'https://api.example.com/v1/%7Bcity%7D';
    const saved = { ...clean, url, evidence: 'verbatim' };
    const file = writeResponses(saved, { ...saved, capturedAt: 'yesterday' }, saved);
    const { code, stdout, stderr } = await runInProcess(['lint', '--json', '--file', file]);
    expect(code).toBe(0);
    expect(jsonLines(stdout).map(({ notes }) => notes)).toEqual(
      Array(3).fill([
        'The URL contains the placeholder {city}; replace it before paying: as it is, the URL cannot be paid.',
      ]),
    );
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      `${file}, line 1 and 2 other lines: The saved response has unknown members, which are ignored: "evidence".`,
      `${file}, line 2: "capturedAt" must be an ISO 8601 time with a time zone, such as "2026-07-01T12:00:00Z". It is ignored.`,
    ]);
  });

  it('names each invalid line and continues', async () => {
    const file = writeResponses(
      clean,
      '{"url": "https://a.example", broken}',
      '',
      { ...clean, status: '402' },
      '[1]',
      formal,
    );
    const { code, stdout, stderr } = await runInProcess(['lint', '--json', '--file', file]);
    expect(code).toBe(2);
    expect(jsonLines(stdout)).toHaveLength(2);
    const messages = stderr.trim().split('\n');
    expect(messages[0]).toMatch(/line 2: not valid JSON/);
    expect(messages[1]).toMatch(/line 4: "status" must be a whole number from 100 to 999$/);
    expect(messages[2]).toMatch(/line 5: this is a list; put each response on a separate line$/);
    expect(messages[3]).toBe('2 responses, 1 with errors, 3 invalid lines');
  });

  it.each([
    ['is missing', 'missing.jsonl', 'missing.jsonl does not exist.'],
    ['is a folder', '.', 'cannot be read: EISDIR'],
  ])('exits with 2 when the file %s', async (_, name, message) => {
    const { code, stdout, stderr } = await runInProcess(['lint', '--file', join(folder, name)]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it.each(['\uFEFF', ''])('asks for UTF-8 instead of UTF-16, with the byte order mark "%s"', async (mark) => {
    const file = join(folder, 'utf16.json');
    writeFileSync(file, `${mark}${JSON.stringify(clean)}`, 'utf16le');
    const { code, stderr } = await runInProcess(['lint', '--file', file]);
    expect([code, stderr]).toEqual([2, `${file} is UTF-16 text. Save it as UTF-8.\n`]);
  });

  it('exits with 2 when the file has no response', async () => {
    const { code, stderr } = await runInProcess(['lint', '--file', '-'], '\n\n');
    expect([code, stderr]).toEqual([2, 'standard input contains no response.\n']);
  });

  it('accepts saved responses of one megabyte', async () => {
    const { code, stdout } = await runInProcess(
      ['lint', '--json', '--file', '-'],
      `${JSON.stringify({ ...clean, note: 'x'.repeat(1_000_000) })}\n${JSON.stringify({ ...clean, body: '['.repeat(1_000_000) })}`,
    );
    expect([code, jsonLines(stdout).length]).toEqual([0, 2]);
  });

  it('prints each result before it reads the next response', async () => {
    const child = startTouchstone(['lint', '--json', '--file', '-']);
    child.stdin.write(`${JSON.stringify(clean)}\n`);
    const first = await new Promise<string>((resolve) =>
      child.stdout.once('data', (data) => resolve(String(data))),
    );
    expect(jsonLines(first)).toHaveLength(1);
    expect((await waitForEnd(child, JSON.stringify(formal))).code).toBe(1);
  });

  it('ends without a message when the reader closes the output', async () => {
    const child = startTouchstone(['lint', '--file', '-']);
    const line = `${JSON.stringify(formal)}\n`;
    child.stdout.once('data', () => child.stdout.destroy());
    const ending = waitForEnd(child, line.repeat(5_000));
    expect(await ending).toMatchObject({ code: 1, stderr: '' });
  });
});

describe('arguments', () => {
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
  ])('that are invalid exit with 2 and a message: %j', async (args) => {
    const { code, stdout, stderr } = await runInProcess(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toBe('');
    expect(stderr).not.toContain('    at ');
    expect(stderr).not.toContain('secret');
  });

  it('are explained by --help, with the exit codes', async () => {
    const { code, stdout } = await runInProcess(['lint', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Exit codes');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});

it('prints at most 20 different remarks, and counts the others', async () => {
  const lines = Array.from({ length: 30 }, (_, index) => ({
    ...createSavedResponse(),
    [`x${String(index)}`]: 1,
  }));
  const input = [...lines, lines[0]].map((line) => JSON.stringify(line)).join('\n');
  const { stderr } = await runInProcess(['lint', '--json', '--file', '-'], input);
  const remarks = stderr.split('\n').filter((line) => line.includes('unknown members'));
  expect(remarks).toHaveLength(20);
  expect(remarks[0]).toContain('line 1 and 1 other line: ');
  expect(stderr).toContain('standard input: 10 more remarks.\n');
});
