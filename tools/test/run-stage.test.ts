import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sumCounts, type Counts } from './counts.ts';
import { formatEnd, formatResult, runSequences, type StageResult } from './run-stage.ts';
import type { Stage } from './stages.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'touchstone-run-'));
});
afterEach(() => rm(root, { recursive: true }));

/** Writes a package.json whose scripts run these JavaScript texts. */
async function writeScripts(sources: Readonly<Record<string, string>>): Promise<void> {
  const scripts: Record<string, string> = {};
  for (const [name, source] of Object.entries(sources)) {
    await writeFile(join(root, `${name}.mjs`), source);
    scripts[name] = `node ${name}.mjs`;
  }
  await writeFile(join(root, 'package.json'), JSON.stringify({ scripts }));
}

const toStage = (name: string, parts: Partial<Stage> = {}): Stage => ({ name, timeoutSeconds: 20, ...parts });

async function run(stages: readonly Stage[], signal = new AbortController().signal) {
  const doNothing = () => undefined;
  const folder = await mkdtemp(join(root, 'counts-'));
  return runSequences([stages], { root, folder, signal, onStart: doNothing, onResult: doNothing });
}

const summarize = (results: readonly StageResult[]) =>
  results.map(({ name, passed, failed, problem }) => `${name} ${passed}/${failed} ${problem ?? ''}`.trim());

/** Returns a script that writes these counts, like a test runner, and ends with this exit code. */
const writeTestRun = (counts: Partial<Counts>, exitCode: number) =>
  `import { writeFileSync } from 'node:fs';
   writeFileSync(process.env.TEST_COUNTS + '/runner.json', '${JSON.stringify({ ...sumCounts([]), ...counts })}');
   process.exit(${exitCode});`;

it('continues after a failure, except for stages that need the failed one', async () => {
  await writeScripts({ build: "console.log('broken'); process.exit(1)", other: '' });
  const results = await run([toStage('build'), toStage('e2e', { needs: ['build'] }), toStage('other')]);
  expect(summarize(results)).toEqual([
    'build 0/1 ended with 1',
    'e2e 0/1 not run: build failed',
    'other 1/0',
  ]);
  expect(formatEnd(results)).toMatch(/\n1 passed, 2 failed$/);
});

it('stops a stage at its timeout, and leaves out the rest after an interruption', async () => {
  await writeScripts({ hang: 'setInterval(() => {}, 1000)', next: '' });
  const results = await run([toStage('hang', { timeoutSeconds: 0.5 }), toStage('next')]);
  expect(summarize(results)).toEqual(['hang 0/1 stopped after 0.5 seconds', 'next 1/0']);
  expect(summarize(await run([toStage('next')], AbortSignal.abort()))).toEqual([
    'next 0/1 not run: interrupted',
  ]);
});

it('counts the tests of a stage, and fails it when the counts cannot be trusted', async () => {
  const failure = { name: 'adds', error: 'expected 3' };
  await writeScripts({
    passed: writeTestRun({ passed: 3, flaky: [failure] }, 0),
    failed: writeTestRun({ passed: 3, failed: 1, failures: [failure] }, 1),
    crashed: writeTestRun({ passed: 3 }, 1),
    skipped: writeTestRun({ skipped: ['needs PostgreSQL'] }, 0),
    silent: '',
    truncated:
      "import { writeFileSync } from 'node:fs'; writeFileSync(process.env.TEST_COUNTS + '/a.json', '{');",
  });
  const names = ['passed', 'failed', 'crashed', 'skipped', 'silent', 'truncated'];
  const results = await run(names.map((name) => toStage(name, { hasTests: true })));
  expect(summarize(results)).toEqual([
    'passed 3/0',
    'failed 3/1',
    'crashed 3/1 ended with 1',
    'skipped 0/0',
    'silent 0/1 no test was executed',
    'truncated 0/1 no test was executed',
  ]);
  expect(results.slice(0, 2).map(formatResult).join('\n')).toMatch(
    /passed {2}passed .*1 flaky\n +flaky: adds\n +expected 3\nFAILED {2}failed .*\n +failed: adds\n +expected 3/,
  );
});
