import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countVitest, listFailedFiles } from './count-vitest.ts';
import { runStages, type StageResult } from './run-stages.ts';
import type { Stage } from './stages.ts';

const tools = join(import.meta.dirname, '..');
/**
 * Script that replaces a test runner. It copies a sample report to the path where the real runner writes its report.
 */
const runner = (sample: string): string =>
  `node runner.mjs ${join(import.meta.dirname, 'samples', sample)}.json`;
const runnerSource = `import { copyFileSync } from 'node:fs';
const option = process.argv.find((arg) => arg.startsWith('--outputFile.json='));
const [, , sample, ...args] = process.argv;
if (args.includes('--verbose')) console.log('output of the runner');
if (!args.includes('--silent')) copyFileSync(sample, option?.split('=')[1] ?? process.env.PLAYWRIGHT_JSON_OUTPUT_FILE);
`;
const succeed = 'node --eval 0 --';
const fail = `node --eval "console.log(1 + 1, 'lint errors'); process.exit(1)" --`;
const hang = 'node --eval "setInterval(() => {}, 1000)"';

let root: string;
const scripts = async (entries: Readonly<Record<string, string>>): Promise<void> => {
  await writeFile(join(root, 'package.json'), JSON.stringify({ type: 'module', scripts: entries }));
};

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchstone-run-'));
  await mkdir(join(root, 'reports'));
  await writeFile(join(root, 'runner.mjs'), runnerSource);
});
afterEach(() => rm(root, { recursive: true }));

describe('runStages', () => {
  const stage = (name: string, parts: Partial<Stage> = {}): Stage => ({
    name,
    command: () => [name],
    timeoutSeconds: 20,
    ...parts,
  });
  const run = (sequences: readonly (readonly Stage[])[], signal = new AbortController().signal) => {
    const nothing = (): void => undefined;
    return runStages(sequences, {
      root,
      reports: join(root, 'reports'),
      signal,
      onStart: nothing,
      onResult: nothing,
    });
  };
  const summary = (results: readonly StageResult[]): readonly string[] =>
    results.map(({ name, passed, failed, problem }) => `${name} ${passed}/${failed} ${problem ?? ''}`.trim());

  it('continues after a failure, except for stages that need the failed one', async () => {
    await scripts({ build: fail, browser: succeed, other: succeed });
    const results = await run([[stage('build'), stage('browser', { needs: 'build' }), stage('other')]]);
    expect(summary(results)).toEqual(['build 0/1', 'browser 0/1 not run: build failed', 'other 1/0']);
    expect(results[0]?.output).toContain('2 lint errors');
  });

  it('runs sequences in parallel and the stages of a sequence one after the other', async () => {
    const wait = `node --eval "const wait = setInterval(() => { if (require('node:fs').existsSync('done')) clearInterval(wait); }, 20)"`;
    await scripts({
      slow: wait,
      first: succeed,
      second: `node --eval "require('node:fs').writeFileSync('done', '')"`,
    });
    const results = await run([[stage('slow')], [stage('first'), stage('second')]]);
    // `slow` waits for the file that `second` writes. Either of the two may end first, so the results are sorted.
    expect(summary(results).toSorted()).toEqual(['first 1/0', 'second 1/0', 'slow 1/0']);
    expect(results[0]?.name).toBe('first');
  });

  it('stops and fails a stage at its timeout', async () => {
    await scripts({ hang, next: succeed });
    const results = await run([[stage('hang', { timeoutSeconds: 1 }), stage('next')]]);
    expect(summary(results)).toEqual(['hang 0/1 stopped after 1 seconds', 'next 1/0']);
  });

  it('ends processes that a stage left running, without waiting for them', async () => {
    const leave = `node --eval "const child = require('node:child_process').spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }); console.log(child.pid); child.unref()"`;
    await scripts({ leave });
    const [result] = await run([[stage('leave')]]);
    expect(result).toMatchObject({ passed: 1, failed: 0 });
    const pid = Number(result?.output.trim());
    expect(pid).toBeGreaterThan(1);
    await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
  });

  describe('with CI set', () => {
    /** Runner whose only file fails until the folder contains `repaired`, which its first run creates. */
    const source = `import { existsSync, writeFileSync } from 'node:fs';
const [, , report, ...files] = process.argv;
const status = existsSync('repaired') && process.env.KEEP_FAILING === undefined ? 'passed' : 'failed';
writeFileSync('repaired', '');
console.log('arguments', files.join());
const file = (name, result) => ({ name, status: result, assertionResults: [{ fullName: 'works', status: result }] });
const testResults = files.length > 0 ? [file('/w/slow.test.ts', status)] : [file('/w/slow.test.ts', status), file('/w/fast.test.ts', 'passed')];
writeFileSync(report, JSON.stringify({ testResults }));
process.exit(status === 'failed' ? 1 : 0);
`;
    const unit = stage('unit', {
      command: (report) => ['unit', report],
      count: countVitest,
      listFailedFiles,
    });
    beforeEach(async () => {
      vi.stubEnv('CI', 'true');
      await writeFile(join(root, 'twice.mjs'), source);
      await scripts({ unit: 'node twice.mjs' });
    });
    afterEach(() => {
      vi.unstubAllEnvs();
    });

    it('runs failed files a second time, and calls what passes then flaky', async () => {
      const [result] = await run([[unit]]);
      expect(result).toMatchObject({ passed: 2, failed: 0, problem: null });
      expect(result?.flaky.map(({ name }) => name)).toEqual(['/w/slow.test.ts works']);
      expect(result?.output).toContain('arguments /w/slow.test.ts');
    });

    it('fails when the second run fails too', async () => {
      vi.stubEnv('KEEP_FAILING', 'true');
      const [result] = await run([[unit]]);
      expect(result).toMatchObject({ passed: 1, failed: 1, flaky: [], problem: null });
    });
  });

  it('runs no file a second time without CI', async () => {
    vi.stubEnv('CI', undefined);
    await scripts({ unit: runner('vitest') });
    const unit = stage('unit', {
      command: (report) => ['unit', `--outputFile.json=${report}`],
      count: countVitest,
      listFailedFiles,
    });
    const [result] = await run([[unit]]);
    vi.unstubAllEnvs();
    expect(result).toMatchObject({ passed: 1, failed: 2, flaky: [] });
    expect(result?.output).not.toContain('Second run');
  });

  it('runs no further stage after an interruption', async () => {
    await scripts({ hang, next: succeed });
    const interruption = new AbortController();
    setTimeout(() => {
      interruption.abort();
    }, 500);
    const results = await run([[stage('hang'), stage('next')]], interruption.signal);
    expect(summary(results)).toEqual(['hang 0/1', 'next 0/1 not run: interrupted']);
  });
});

describe('the whole run', () => {
  const checks = {
    lint: succeed,
    'format:check': succeed,
    typecheck: succeed,
    'db:types': succeed,
    knip: succeed,
  };
  const test = async (...args: string[]): Promise<{ code: unknown; lines: readonly string[] }> => {
    await cp(join(tools, 'test.ts'), join(root, 'tools/test.ts'));
    await cp(join(tools, 'test'), join(root, 'tools/test'), { recursive: true });
    return new Promise((resolve) => {
      execFile(process.execPath, ['tools/test.ts', ...args], { cwd: root }, (error, stdout, stderr) => {
        resolve({ code: error?.code ?? 0, lines: `${stdout}${stderr}`.trimEnd().split('\n') });
      });
    });
  };

  it('ends with one line that sums checks and executed tests', async () => {
    await scripts({
      ...checks,
      lint: fail,
      unit: runner('vitest'),
      build: succeed,
      browser: runner('playwright'),
      postgres: runner('vitest-none'),
    });
    const { code, lines } = await test();
    // Checks: 5 passed, 1 failed. Vitest: 1 passed, 2 failed. Playwright: 2 passed, 1 failed. PostgreSQL: no tests.
    expect(lines.at(-1)).toBe('8 passed, 4 failed');
    expect(code).toBe(1);
    expect(lines).toContain('2 lint errors');
    expect(lines).toContain('          skipped: prices divides');
  });

  it('names failed and flaky tests before the output of their stage and again at the end', async () => {
    const copy = runner('playwright');
    await scripts({ build: succeed, browser: `${copy} --verbose` });
    const { lines } = await test('browser');
    const tests = [
      '          failed: a.spec.ts is wrong',
      '            Error: expect(received).toBe(expected) // Object.is equality',
      '            Expected: 2',
      '            Received: 1',
      '            at /workspace/p/a.spec.ts:4:36',
      '          flaky: a.spec.ts comes round',
      '            Error: expect(received).toBe(expected) // Object.is equality',
      '            Expected: 1',
      '            Received: 0',
      '            at /workspace/p/a.spec.ts:6:56',
    ];
    const start = lines.findIndex((line) => line.startsWith('FAILED'));
    expect(lines[start]).toMatch(/^FAILED {2}browser .* 2 passed, 1 failed, 1 flaky, 1 skipped$/);
    expect(lines.slice(start + 1, start + 1 + tests.length)).toEqual(tests);
    expect(lines.indexOf('output of the runner')).toBeGreaterThan(start + tests.length);
    expect(lines.slice(-tests.length - 3)).toEqual([lines[start], ...tests, '', '3 passed, 1 failed']);
  });

  it('names flaky tests of a stage that passed', async () => {
    const report = JSON.parse(
      await readFile(join(import.meta.dirname, 'samples/playwright.json'), 'utf8'),
    ) as {
      suites: { specs: { title: string }[] }[];
    };
    for (const suite of report.suites) suite.specs = suite.specs.filter(({ title }) => title !== 'is wrong');
    await writeFile(join(root, 'flaky.json'), JSON.stringify(report));
    await scripts({ build: succeed, browser: `node runner.mjs ${join(root, 'flaky.json')}` });
    const { code, lines } = await test('browser');
    expect(code).toBe(0);
    expect(lines.filter((line) => line.includes('1 flaky'))).toHaveLength(2);
    expect(lines).toContain('          flaky: a.spec.ts comes round');
    expect(lines.at(-1)).toBe('3 passed, 0 failed');
  });

  it('succeeds when every executed test passed', async () => {
    await scripts({ ...checks, unit: runner('vitest-unhandled') });
    expect(await test('--only=lint,unit')).toMatchObject({ code: 0 });
    expect((await test('unit')).lines.at(-1)).toBe('1 passed, 0 failed');
  });

  it('fails when a test runner executed no test', async () => {
    await scripts({ ...checks, unit: runner('vitest-none') });
    const { code, lines } = await test('unit');
    expect(code).toBe(1);
    expect(lines.at(-1)).toBe('0 passed, 1 failed');
  });

  it('fails on an unknown stage without running any', async () => {
    await scripts(checks);
    expect(await test('lnit')).toEqual({
      code: 2,
      lines: [expect.stringContaining('Unknown stage: lnit') as string],
    });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
