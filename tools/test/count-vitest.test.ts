import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countVitest, listFailedFiles } from './count-vitest.ts';

const sample = (name: string): string =>
  readFileSync(new URL(`samples/${name}.json`, import.meta.url), 'utf8');

describe('countVitest', () => {
  it('counts passed and failed tests, lists skipped ones, and counts an unloadable file as a failure', () => {
    expect(countVitest(sample('vitest'))).toEqual({
      passed: 1,
      failed: 2,
      failures: [
        {
          name: '/workspace/v/broken.test.ts',
          error: ["Cannot find module './missing.ts' imported from /workspace/v/broken.test.ts"],
        },
        {
          name: '/workspace/v/prices.test.ts prices subtracts',
          error: [
            'AssertionError: expected +0 to be 1 // Object.is equality',
            'at /workspace/v/prices.test.ts:4:41',
          ],
        },
      ],
      flaky: [],
      skipped: ['prices divides', 'prices multiplies'],
    });
  });

  it('counts zero tests when none was executed', () => {
    expect(countVitest(sample('vitest-none'))).toMatchObject({
      passed: 0,
      failed: 0,
      failures: [],
      skipped: [],
    });
  });

  it('names a failed test with the path of its file in the repository', () => {
    const report = sample('vitest').replaceAll('/workspace/v/', '/checkout/libs/x402/src/');
    const { failures } = countVitest(report);
    expect(failures.map(({ name }) => name)).toEqual([
      'libs/x402/src/broken.test.ts',
      'libs/x402/src/prices.test.ts prices subtracts',
    ]);
  });

  it('replaces the results of files that ran twice, and lists what failed only in the first run as flaky', () => {
    const first = sample('vitest');
    expect(listFailedFiles(first)).toEqual(['/workspace/v/broken.test.ts', '/workspace/v/prices.test.ts']);
    const counts = countVitest(first);
    expect(countVitest(first, first)).toEqual(counts);
    const second = JSON.stringify({
      testResults: [
        {
          name: '/workspace/v/broken.test.ts',
          status: 'passed',
          assertionResults: [{ fullName: 'loads', status: 'passed' }],
        },
      ],
    });
    expect(countVitest(first, second)).toEqual({
      ...counts,
      passed: 2,
      failed: 1,
      failures: counts.failures.slice(1),
      flaky: counts.failures.slice(0, 1),
    });
  });

  it.each(['', '{', '{}', 'null', '[]'])('throws on text that is no report: %j', (text) => {
    expect(() => countVitest(text)).toThrow();
  });
});
