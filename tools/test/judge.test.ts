import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countVitest } from './count-vitest.ts';
import { judge, type Execution } from './judge.ts';

const sample = (name: string): string =>
  readFileSync(new URL(`samples/${name}.json`, import.meta.url), 'utf8');
const execution = (parts: Partial<Execution>): Execution => ({
  exitCode: 0,
  timedOut: false,
  output: '',
  report: null,
  ...parts,
});
const runner = { count: countVitest, timeoutSeconds: 60 };
const check = { timeoutSeconds: 60 };

describe('judge', () => {
  it('counts a check as one test', () => {
    expect(judge(check, execution({}))).toEqual({ passed: 1, failed: 0, skipped: [], problem: null });
    expect(judge(check, execution({ exitCode: 2 }))).toMatchObject({ passed: 0, failed: 1 });
    expect(judge(check, execution({ exitCode: null, timedOut: true }))).toEqual({
      passed: 0,
      failed: 1,
      skipped: [],
      problem: 'stopped after 60 seconds',
    });
  });

  it('counts a test runner as the tests it executed', () => {
    const report = sample('vitest');
    expect(judge(runner, execution({ exitCode: 1, report }))).toMatchObject({
      passed: 1,
      failed: 2,
      problem: null,
    });
  });

  it('does not believe a runner that ends badly with all tests passed', () => {
    const report = sample('vitest-unhandled');
    expect(judge(runner, execution({ exitCode: 0, report }))).toMatchObject({ passed: 1, failed: 0 });
    expect(judge(runner, execution({ exitCode: 1, report }))).toMatchObject({
      passed: 1,
      failed: 1,
      problem: 'no test failed, but it ended with 1',
    });
  });

  it('fails a runner that executed no test, whatever its exit code', () => {
    const report = sample('vitest-none');
    expect(judge(runner, execution({ report }))).toMatchObject({
      passed: 0,
      failed: 1,
      problem: 'executed no test',
    });
  });

  it.each([null, '', '{"testResults":', '{}'])('fails a runner whose report is %j', (report) => {
    expect(judge(runner, execution({ report }))).toEqual({
      passed: 0,
      failed: 1,
      skipped: [],
      problem: 'left no report that could be read',
    });
  });

  it('counts what a runner did before it was stopped, and the stop as a failure', () => {
    const report = sample('vitest-unhandled');
    expect(judge(runner, execution({ exitCode: null, timedOut: true, report }))).toMatchObject({
      passed: 1,
      failed: 1,
      problem: 'stopped after 60 seconds',
    });
  });
});
