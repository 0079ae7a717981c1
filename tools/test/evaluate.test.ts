import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countVitest } from './count-vitest.ts';
import { evaluate, type Execution } from './evaluate.ts';

const sample = (name: string): string =>
  readFileSync(new URL(`samples/${name}.json`, import.meta.url), 'utf8');
const execution = (parts: Partial<Execution>): Execution => ({
  exitCode: 0,
  timedOut: false,
  output: '',
  report: null,
  ...parts,
});
const runner = { name: 'unit', count: countVitest, timeoutSeconds: 60 };
const check = { name: 'lint', timeoutSeconds: 60 };
const nothing = { failures: [], flaky: [], skipped: [] };

describe('evaluate', () => {
  it('counts a check as one test', () => {
    expect(evaluate(check, execution({}))).toEqual({ ...nothing, passed: 1, failed: 0, problem: null });
    expect(evaluate(check, execution({ exitCode: null, timedOut: true }))).toMatchObject({
      passed: 0,
      failed: 1,
      problem: 'stopped after 60 seconds',
    });
  });

  it('summarizes the output of a failed check', () => {
    expect(evaluate(check, execution({ exitCode: 2, output: 'a.ts\n\n  1:1  error\n' }))).toEqual({
      ...nothing,
      passed: 0,
      failed: 1,
      failures: [{ name: 'lint', error: ['a.ts', '  1:1  error'] }],
      problem: null,
    });
  });

  it('counts the executed tests of a test runner', () => {
    const report = sample('vitest');
    expect(evaluate(runner, execution({ exitCode: 1, report }))).toMatchObject({
      passed: 1,
      failed: 2,
      problem: null,
    });
  });

  it('adds a failure when the runner fails although all tests passed', () => {
    const report = sample('vitest-unhandled');
    expect(evaluate(runner, execution({ exitCode: 0, report }))).toMatchObject({ passed: 1, failed: 0 });
    expect(evaluate(runner, execution({ exitCode: 1, report }))).toMatchObject({
      passed: 1,
      failed: 1,
      problem: 'no test failed, but the runner ended with 1',
    });
  });

  it('fails a runner that executed no test, for any exit code', () => {
    const report = sample('vitest-none');
    expect(evaluate(runner, execution({ report }))).toMatchObject({
      passed: 0,
      failed: 1,
      problem: 'no test was executed',
    });
  });

  it('accepts a runner that executed no test if its stage may be empty and the exit code is 0', () => {
    const report = sample('vitest-none');
    const optional = { ...runner, mayBeEmpty: true };
    expect(evaluate(optional, execution({ report }))).toMatchObject({ passed: 0, failed: 0, problem: null });
    expect(evaluate(optional, execution({ report, exitCode: 1 }))).toMatchObject({ passed: 0, failed: 1 });
  });

  it.each([null, '', '{"testResults":', '{}'])('fails a runner whose report is %j', (report) => {
    expect(evaluate(runner, execution({ report }))).toEqual({
      ...nothing,
      passed: 0,
      failed: 1,
      problem: 'the report is missing or malformed',
    });
  });

  it('counts the tests before a timeout, and the timeout as a failure', () => {
    const report = sample('vitest-unhandled');
    expect(evaluate(runner, execution({ exitCode: null, timedOut: true, report }))).toMatchObject({
      passed: 1,
      failed: 1,
      problem: 'stopped after 60 seconds',
    });
  });
});
