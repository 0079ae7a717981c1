import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TrustReport } from '@touchstone/contract';
import type { SigningKeys } from '@touchstone/trust';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeys, createReport, createSignedReport } from '../testing/reports.ts';
import { jsonLines } from '../testing/run-command.ts';
import { runInProcess } from '../testing/run-in-process.ts';

const BASE = 'https://touchstone.example';
describe('touchstone verify <file>', () => {
  let folder: string;
  let keys: SigningKeys;
  let signed: TrustReport;
  let keysFile: string;
  const write = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  /** Verifies a text or a document on standard input with the trusted keys. */
  const verify = (input: unknown, ...args: readonly string[]) =>
    runInProcess(
      ['verify', '--keys', keysFile, ...args, '-'],
      typeof input === 'string' ? input : JSON.stringify(input),
    );
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'touchstone-verify-'));
    keys = await createKeys(BASE);
    signed = await createSignedReport(keys, BASE);
    keysFile = write('keys.json', JSON.stringify(keys.published));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('exits with 0 when the figures agree and a key of --keys signed the report', async () => {
    const file = write('good.json', JSON.stringify(signed, null, 2));
    const { code, stdout, stderr } = await runInProcess(['verify', '--keys', keysFile, file]);
    expect([code, stderr]).toEqual([0, '']);
    const [heading, ...findings] = stdout.trimEnd().split('\n');
    expect(heading).toBe('https://api.example.com/v1/weather');
    // White space is replaced, because the line breaks depend on the length of the test folder's path.
    expect(findings.join(' ').replace(/\s+/g, ' ')).toBe(
      `Report: score ${String(signed.score)}, grade A, recommendation proceed, scoring version 1.0.0, ` +
        'generated 2026-06-01T00:00:02.000Z. Figures agree All computed figures follow, to the last digit, from ' +
        `the raw figures in the report. Signature valid Signed by a key of ${keysFile}. The report was not changed since.`,
    );
  });

  it('prints the first figure that differs and a forged signature', async () => {
    const forged = { ...signed, score: 99.9, grade: 'A' as const };
    const { code, stdout } = await verify(forged);
    expect(code).toBe(1);
    expect(stdout).toContain(
      [
        'Figures differ',
        '    The first figure that differs is $.score',
        '    reported  99.9',
        `    computed  ${String(signed.score)}`,
      ].join('\n'),
    );
    expect(stdout).toContain('Signature forged');
  });

  it('does not use the keys that a report from a file names', async () => {
    const { code, stdout } = await runInProcess(['verify', '-'], JSON.stringify(signed));
    expect(code).toBe(2);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'the report comes from a file, and a forged report names its own keys, too. If the service at ' +
        'https://touchstone.example should have signed it, use --keys ' +
        'https://touchstone.example/.well-known/touchstone-keys.json',
    );
  });

  it('detects a signature by an unknown key on figures that agree', async () => {
    const untrusted = await createSignedReport(await createKeys(BASE), BASE);
    const { code, stdout } = await verify(untrusted);
    expect(code).toBe(1);
    expect(stdout).toContain('Figures agree');
    expect(stdout).toContain('Signature by an unknown key');
  });

  it('does not accept an unsigned report, except with --figures', async () => {
    const bare = JSON.stringify(createReport(BASE));
    const whole = await verify(bare);
    expect([whole.code, whole.stdout]).toEqual([2, expect.stringContaining('Not signed')]);
    const figures = await runInProcess(['verify', '--figures', '-'], bare);
    expect([figures.code, figures.stdout]).toEqual([0, expect.stringContaining('Signature skipped')]);
  });

  it('checks each sample of the preview and prints totals', async () => {
    const worst = await createSignedReport(keys, BASE, { listed: false, downSince: Date.UTC(2026, 4, 29) });
    const preview = {
      generatedAt: signed.generatedAt,
      population: 3,
      samples: [signed, { ...signed, confidence: 0.5 }, worst].map((report) => ({ report })),
    };
    const { code, stdout, stderr } = await verify(preview, '--json');
    expect([code, stderr]).toEqual([1, '3 reports: 2 valid, 1 invalid, 0 undetermined\n']);
    const differences = [{ path: '$.confidence', said: 0.5, computed: signed.confidence }];
    expect(jsonLines(stdout)).toMatchObject([
      { place: 'samples[0].report', verdict: 'ok', signature: 'valid', differences: [] },
      { place: 'samples[1].report', verdict: 'not-ok', signature: 'forged', differences },
      { place: 'samples[2].report', verdict: 'ok', figures: 'agrees', keysFrom: keysFile },
    ]);
  });

  it.each<readonly [string, (line: string) => string, readonly string[]]>([
    ['a list of reports', (line) => `[${line},\n${line}]`, ['[0]', '[1]']],
    ['one report on each line', (line) => `\ufeff${line}\n\n${line}\n`, ['line 1', 'line 3']],
  ])('accepts %s', async (_, compose, places) => {
    const input = compose(JSON.stringify(signed));
    const { code, stdout } = await verify(input, '--json');
    expect(code).toBe(0);
    expect(jsonLines(stdout).map(({ place }) => place)).toEqual(places);
  });

  it('names an invalid line and continues', async () => {
    const input = `${JSON.stringify(signed)}\n{"score":1\n${JSON.stringify(signed)}\n`;
    const { code, stdout, stderr } = await verify(input, '--json');
    expect(code).toBe(2);
    expect(jsonLines(stdout)).toHaveLength(2);
    expect(stderr).toContain('-, line 2: not valid JSON');
    expect(stderr).toContain('3 reports: 2 valid, 0 invalid, 1 undetermined');
  });

  it('does not check figures of an unknown scoring version', async () => {
    const { code, stdout } = await runInProcess(
      ['verify', '--figures', '-'],
      JSON.stringify({ ...signed, scoringVersion: '2.0.0' }),
    );
    expect(code).toBe(2);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'The report uses scoring version 2.0.0, and this command supports 1.0.0.',
    );
  });

  it.each<readonly [string, readonly string[]]>([
    ['a missing report', ['verify', '/no/such/file']],
    ['missing keys', ['verify', '--keys', '/no/such/file', '-']],
    ['a file without keys', ['verify', '--keys', join(import.meta.dirname, 'verify-command.ts'), '-']],
    ['keys together with --figures', ['verify', '--figures', '--keys', 'keys.json', '-']],
    ['standard input twice', ['verify', '--keys', '-', '-']],
    ['an address on this machine', ['verify', 'http://localhost:3000/v1/x402-trust-preview']],
    ['an invalid URL', ['verify', 'https://']],
    ['a missing argument', ['verify']],
  ])('reports an error for %s', async (_, args) => {
    const { code, stdout, stderr } = await runInProcess(args, '{}');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toMatch(/^Touchstone failed|\n\s+at /);
    expect(stderr.length).toBeGreaterThan(20);
  });

  it.each<readonly [string, string]>([
    ['an empty text', ''],
    ['another document', '{"openapi":"3.1.0"}'],
    ['an empty list', '[]'],
    ['samples without reports', '{"samples":[null,7,{"report":null},{}]}'],
    ['names of the prototype', '{"__proto__":{"score":100},"constructor":{"prototype":{}}}'],
    ['deep lists that close', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['deep objects', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
    ['a text that is not closed', `"${'\\'.repeat(100_000)}`],
  ])('finds no report in %s', async (_, input) => {
    const { code, stderr } = await verify(input);
    expect(code).toBe(2);
    expect(stderr).not.toContain('Touchstone failed');
  });

  it('rejects a report with a duplicate name, which parsers interpret differently', async () => {
    const twice = JSON.stringify(signed).replace('"score":', '"score":100,"score":');
    const { code, stderr } = await verify(twice);
    expect(code).toBe(2);
    expect(stderr).toContain('an object contains the same name twice');
  });

  it('reads at most 32 MiB', async () => {
    const { code, stderr } = await runInProcess(['verify', '-'], ' '.repeat(33 * 1024 * 1024));
    expect([code, stderr]).toEqual([2, 'standard input is longer than the maximum of 32 MiB.\n']);
  });

  it('removes control characters from untrusted text', async () => {
    const withControls = {
      ...signed,
      resource: 'https://a.example/\u001b[2J\u202e',
      reasons: ['\u001b[31m'],
    };
    const { stdout, stderr } = await verify(withControls);
    expect(stdout + stderr).not.toMatch(/[\u001b\u202e]/);
    expect(stdout).toContain('The first figure that differs is $.reasons[0]');
  });
});
