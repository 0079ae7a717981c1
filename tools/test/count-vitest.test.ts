import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countVitest } from './count-vitest.ts';

const sample = (name: string): string =>
  readFileSync(new URL(`samples/${name}.json`, import.meta.url), 'utf8');

describe('countVitest', () => {
  it('counts passed and failed tests, lists skipped ones, and counts an unloadable file as a failure', () => {
    expect(countVitest(sample('vitest'))).toEqual({
      passed: 1,
      failed: 2,
      skipped: ['prices divides', 'prices multiplies'],
    });
  });

  it('counts zero tests when none was executed', () => {
    expect(countVitest(sample('vitest-none'))).toEqual({ passed: 0, failed: 0, skipped: [] });
  });

  it.each(['', '{', '{}', 'null', '[]'])('throws on text that is no report: %j', (text) => {
    expect(() => countVitest(text)).toThrow();
  });
});
