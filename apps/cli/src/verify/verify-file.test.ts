import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrustReport } from '@touchstone/contract';
import type { SigningKeys } from '@touchstone/trust';
import { jsonLines } from '../testing/command.ts';
import { keysFor, reportBy, signedBy } from '../testing/reports.ts';
import { runHere } from '../testing/run-here.ts';

const BASE = 'https://touchstone.example';

describe('touchstone verify, of a file', () => {
  let folder: string;
  let keys: SigningKeys;
  let signed: TrustReport;
  let keysFile: string;
  const write = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'touchstone-verify-'));
    keys = await keysFor(BASE);
    signed = await signedBy(keys, BASE);
    keysFile = write('keys.json', JSON.stringify(keys.published));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is good when every figure agrees and the keys are those that were given', async () => {
    const file = write('good.json', JSON.stringify(signed, null, 2));
    const { code, stdout, stderr } = await runHere(['verify', '--keys', keysFile, file]);
    expect([code, stderr]).toEqual([0, '']);
    const [heading, ...findings] = stdout.trimEnd().split('\n');
    expect(heading).toBe('https://api.example.com/v1/weather');
    // Lines break where the terminal ends, wherever the folder of the test is.
    expect(findings.join(' ').replace(/\s+/g, ' ')).toBe(
      `It says: score ${String(signed.score)}, grade A, recommendation proceed, formula 1.0.0, ` +
        'made 2026-06-01T00:00:02.000Z. Figures agree Every figure follows, to the last digit, from what the ' +
        `report carries. Signature valid Signed by a key of ${keysFile}, and unchanged since.`,
    );
  });

  it('points at the first figure that differs, and finds the signature forged', async () => {
    const forged = { ...signed, score: 99.9, grade: 'A' as const };
    const { code, stdout } = await runHere(['verify', '--keys', keysFile, '-'], JSON.stringify(forged));
    expect(code).toBe(1);
    expect(stdout).toContain(
      [
        'Figures differ',
        '    The first figure that differs is $.score',
        '    said      99.9',
        `    computed  ${String(signed.score)}`,
      ].join('\n'),
    );
    expect(stdout).toContain('Signature forged');
  });

  it('sees a raw figure changed that moves no digit of the score', async () => {
    const { settlement } = signed;
    const forged = { ...signed, settlement: { ...settlement, throughBlock: 7 } };
    const { code, stdout } = await runHere(['verify', '--keys', keysFile, '-'], JSON.stringify(forged));
    expect(code).toBe(1);
    expect(stdout).toContain('Figures agree');
    expect(stdout).toContain('Signature forged');
  });

  it('trusts no keys that a file names for itself', async () => {
    const { code, stdout } = await runHere(['verify', '-'], JSON.stringify(signed));
    expect(code).toBe(2);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'a report from a file names its own keys, as a forged one would. If the report is to be by the service at ' +
        'https://touchstone.example, give --keys https://touchstone.example/.well-known/touchstone-keys.json',
    );
  });

  it('knows a stranger who signs with good figures and keys of its own', async () => {
    const stranger = await signedBy(await keysFor(BASE), BASE);
    const { code, stdout } = await runHere(['verify', '--keys', keysFile, '-'], JSON.stringify(stranger));
    expect(code).toBe(1);
    expect(stdout).toContain('Figures agree');
    expect(stdout).toContain('Signature of a stranger');
  });

  it('does not take a report for good that nobody signed, unless asked for figures only', async () => {
    const bare = JSON.stringify(reportBy(BASE));
    const whole = await runHere(['verify', '--keys', keysFile, '-'], bare);
    expect([whole.code, whole.stdout]).toEqual([2, expect.stringContaining('Not signed')]);
    const figures = await runHere(['verify', '--figures', '-'], bare);
    expect([figures.code, figures.stdout]).toEqual([0, expect.stringContaining('Signature left aside')]);
  });

  it('checks the samples of the preview one by one, and sums up', async () => {
    const worst = await signedBy(keys, BASE, { listed: false, downSince: Date.UTC(2026, 4, 29) });
    const preview = {
      generatedAt: signed.generatedAt,
      population: 3,
      samples: [
        { role: 'best', populationRank: 1, report: signed },
        { role: 'median', populationRank: 2, report: { ...signed, confidence: 0.5 } },
        { role: 'worst', populationRank: 3, report: worst },
      ],
    };
    const { code, stdout, stderr } = await runHere(
      ['verify', '--json', '--keys', keysFile, '-'],
      JSON.stringify(preview),
    );
    expect([code, stderr]).toEqual([1, '3 reports: 2 good, 1 not, 0 could not be judged\n']);
    expect(jsonLines(stdout)).toEqual([
      expect.objectContaining({
        place: 'samples[0].report',
        verdict: 'ok',
        signature: 'valid',
        differences: [],
      }),
      expect.objectContaining({
        place: 'samples[1].report',
        verdict: 'not-ok',
        signature: 'forged',
        differences: [{ path: '$.confidence', said: 0.5, computed: signed.confidence }],
      }),
      expect.objectContaining({
        place: 'samples[2].report',
        verdict: 'ok',
        figures: 'agrees',
        keysFrom: keysFile,
      }),
    ]);
  });

  it.each<readonly [string, (line: string) => string, readonly string[]]>([
    ['a list', (line) => `[${line},\n${line}]`, ['[0]', '[1]']],
    ['lines', (line) => `\ufeff${line}\n\n${line}\n`, ['line 1', 'line 3']],
  ])('takes %s of reports', async (_, compose, places) => {
    const input = compose(JSON.stringify(signed));
    const { code, stdout } = await runHere(['verify', '--json', '--keys', keysFile, '-'], input);
    expect(code).toBe(0);
    expect(jsonLines(stdout).map(({ place }) => place)).toEqual(places);
  });

  it('goes on after a bad line, and says which it was', async () => {
    const input = `${JSON.stringify(signed)}\n{"score":1\n${JSON.stringify(signed)}\n`;
    const { code, stdout, stderr } = await runHere(['verify', '--json', '--keys', keysFile, '-'], input);
    expect(code).toBe(2);
    expect(jsonLines(stdout)).toHaveLength(2);
    expect(stderr).toContain('-, line 2: it is not JSON');
    expect(stderr).toContain('3 reports: 2 good, 0 not, 1 could not be judged');
  });

  it('does not judge what another version of the formula made', async () => {
    const { code, stdout } = await runHere(
      ['verify', '--figures', '-'],
      JSON.stringify({ ...signed, scoringVersion: '2.0.0' }),
    );
    expect(code).toBe(2);
    expect(stdout).toContain('It was made by version 2.0.0 of the formula, and this command knows 1.0.0.');
  });

  it.each<readonly [string, readonly string[]]>([
    ['a report that is not there', ['verify', '/no/such/file']],
    ['keys that are not there', ['verify', '--keys', '/no/such/file', '-']],
    ['keys that are none', ['verify', '--keys', join(import.meta.dirname, 'command.ts'), '-']],
    ['keys that are to be left aside', ['verify', '--figures', '--keys', 'keys.json', '-']],
    ['standard input twice', ['verify', '--keys', '-', '-']],
    ['an address on this machine', ['verify', 'http://localhost:3000/v1/x402-trust-preview']],
    ['no address', ['verify', 'https://']],
    ['nothing', ['verify']],
  ])('cannot judge %s, and says why', async (_, args) => {
    const { code, stdout, stderr } = await runHere(args, '{}');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toMatch(/^Touchstone failed|\n\s+at /);
    expect(stderr.length).toBeGreaterThan(20);
  });

  it.each<readonly [string, string]>([
    ['an empty text', ''],
    ['no JSON', 'score: 100'],
    ['another document', '{"openapi":"3.1.0"}'],
    ['an empty list', '[]'],
    ['an empty preview', '{"samples":[]}'],
    ['samples of nothing', '{"samples":[null,7,{"report":null},{}]}'],
    ['names of the prototype', '{"__proto__":{"score":100},"constructor":{"prototype":{}}}'],
    ['deep lists', '['.repeat(2_000_000)],
    ['deep lists that close', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['deep objects', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
    ['a text that is not closed', `"${'\\'.repeat(100_000)}`],
  ])('takes %s for no report', async (_, input) => {
    const { code, stderr } = await runHere(['verify', '--keys', keysFile, '-'], input);
    expect(code).toBe(2);
    expect(stderr).not.toContain('Touchstone failed');
  });

  it('refuses a report that says a name twice, for readers differ on which counts', async () => {
    const twice = JSON.stringify(signed).replace('"score":', '"score":100,"score":');
    const { code, stderr } = await runHere(['verify', '--keys', keysFile, '-'], twice);
    expect(code).toBe(2);
    expect(stderr).toContain('an object holds the same name twice');
  });

  it('refuses to read without end', async () => {
    const { code, stderr } = await runHere(['verify', '-'], ' '.repeat(33 * 1024 * 1024));
    expect([code, stderr]).toEqual([
      2,
      'standard input is longer than 32 MiB, which is more than is read.\n',
    ]);
  });

  it('shows what strangers wrote without obeying it', async () => {
    const rude = { ...signed, resource: 'https://a.example/\u001b[2J\u202e', reasons: ['\u001b[31m'] };
    const { stdout, stderr } = await runHere(['verify', '--keys', keysFile, '-'], JSON.stringify(rude));
    expect(stdout + stderr).not.toMatch(/[\u001b\u202e]/);
    expect(stdout).toContain('The first figure that differs is $.reasons[0]');
  });
});
