import { expect, test } from 'vitest';
import { CAP_LIMITS } from './caps.ts';
import { FLAG_CATALOGUE } from './flags.ts';
import { WEIGHTS } from './weights.ts';

test('the weights add up to a hundred', () => {
  expect(Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0)).toBe(100);
});

test('the caps are those of the published formula', () => {
  expect(Object.fromEntries(CAP_LIMITS.map(({ rule, limit }) => [rule, limit]))).toEqual({
    'payto-changed-recently': 64,
    'not-payable': 49,
    'down-now': 34,
    'asset-not-usdc': 20,
  });
});

test('the catalogue documents every flag', () => {
  const bySeverity = (severity: string): string[] =>
    FLAG_CATALOGUE.filter((flag) => flag.severity === severity)
      .map(({ slug }) => slug)
      .sort();
  expect(bySeverity('error')).toEqual([
    'asset-not-usdc',
    'down-now',
    'envelope-noncompliant',
    'not-payable',
    'payto-changed-recently',
    'price-spike',
  ]);
  expect(bySeverity('warning')).toEqual([
    'blocked',
    'delisted',
    'first-contact',
    'header-body-mismatch',
    'legacy-version',
    'low-confidence',
    'missing-resource-info',
    'network-unknown',
    'no-description',
    'no-settlements',
    'payto-shared',
    'payto-varies',
    'price-varies',
    'redirects',
    'single-payer',
    'slow',
    'template-unresolved',
    'uptime-low',
  ]);
  for (const { trigger, message, fix } of FLAG_CATALOGUE) {
    for (const text of [trigger, message, fix]) expect(text).toMatch(/^[A-Z].+\.$/);
  }
});
