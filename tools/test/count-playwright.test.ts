import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countPlaywright } from './count-playwright.ts';

const sample = (name: string): string =>
  readFileSync(new URL(`samples/${name}.json`, import.meta.url), 'utf8');

describe('countPlaywright', () => {
  it('counts passed and failed tests, and names failed, flaky and skipped tests', () => {
    expect(countPlaywright(sample('playwright'))).toEqual({
      passed: 2,
      failed: 1,
      failures: [
        {
          name: 'a.spec.ts is wrong',
          error: [
            'Error: expect(received).toBe(expected) // Object.is equality',
            'Expected: 2',
            'Received: 1',
            'at /workspace/p/a.spec.ts:4:36',
          ],
        },
      ],
      flaky: [
        {
          name: 'a.spec.ts comes round',
          error: [
            'Error: expect(received).toBe(expected) // Object.is equality',
            'Expected: 1',
            'Received: 0',
            'at /workspace/p/a.spec.ts:6:56',
          ],
        },
      ],
      skipped: ['a.spec.ts filters by price'],
    });
  });

  it('names the project of a failed test', () => {
    const report = sample('playwright').replaceAll('"projectName": ""', '"projectName": "phone"');
    expect(countPlaywright(report)).toMatchObject({
      failures: [{ name: '[phone] a.spec.ts is wrong' }],
      flaky: [{ name: '[phone] a.spec.ts comes round' }],
    });
  });

  it('counts a failed setup as a failure', () => {
    expect(countPlaywright(sample('playwright-setup'))).toEqual({
      passed: 0,
      failed: 1,
      failures: [{ name: 'outside of tests', error: ['Error: the service did not start'] }],
      flaky: [],
      skipped: [],
    });
  });

  it.each(['', '{', '{}', 'null', '[]'])('throws on what is not a report: %j', (text) => {
    expect(() => countPlaywright(text)).toThrow();
  });
});
