import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countVitest } from './count-vitest.ts';

const sample = (name: string): string =>
  readFileSync(new URL(`samples/${name}.json`, import.meta.url), 'utf8');

describe('countVitest', () => {
  it('counts passed and failed tests, names the skipped, and takes a file that does not load for a failure', () => {
    expect(countVitest(sample('vitest'))).toEqual({
      passed: 1,
      failed: 2,
      skipped: ['prices divides', 'prices multiplies'],
    });
  });

  it('counts nothing where nothing was executed', () => {
    expect(countVitest(sample('vitest-none'))).toEqual({ passed: 0, failed: 0, skipped: [] });
  });

  it.each(['', '{', '{}', 'null', '[]'])('throws on what is not a report: %j', (text) => {
    expect(() => countVitest(text)).toThrow();
  });
});
