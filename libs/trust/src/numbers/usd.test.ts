import { expect, test } from 'vitest';
import { parseUsd } from './usd.ts';

test('parseUsd parses dollar amounts exactly and rejects other texts', () => {
  expect(parseUsd('0.010000')).toBe(10n ** 16n);
  expect(parseUsd('100000.000001')).toBe(100_000_000_001n * 10n ** 12n);
  expect(parseUsd('7')).toBe(7n * 10n ** 18n);
  expect(parseUsd('0.0123456789012345678999')).toBe(12_345_678_901_234_567n);
  for (const text of ['', '-1', '1e3', '$1', '1.', '.5', 'NaN', null, undefined])
    expect(parseUsd(text)).toBeNull();
});
