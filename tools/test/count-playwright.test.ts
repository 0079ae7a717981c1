import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countPlaywright } from './count-playwright.ts';

const sample = (name: string): string =>
  readFileSync(new URL(`samples/${name}.json`, import.meta.url), 'utf8');

describe('countPlaywright', () => {
  it('counts passed, flaky and failed tests and names the skipped', () => {
    expect(countPlaywright(sample('playwright'))).toEqual({
      passed: 2,
      failed: 1,
      skipped: ['a.spec.ts filters by price'],
    });
  });

  it('counts a failed setup as a failure', () => {
    expect(countPlaywright(sample('playwright-setup'))).toEqual({ passed: 0, failed: 1, skipped: [] });
  });

  it.each(['', '{', '{}', 'null', '[]'])('throws on what is not a report: %j', (text) => {
    expect(() => countPlaywright(text)).toThrow();
  });
});
