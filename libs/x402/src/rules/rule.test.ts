import { describe, expect, test } from 'vitest';
import { parseEnvelope } from '../challenge/envelope.ts';
import { checkEachEntry, passIf, type Outcome } from './rule.ts';

/** Returns the outcome of a rule that requires the scheme "exact" in every option. */
function checkScheme(...accepts: readonly unknown[]): Outcome {
  return checkEachEntry(parseEnvelope({ x402Version: 2, accepts }), ({ scheme }) =>
    passIf(scheme === 'exact', 'scheme is not exact.'),
  );
}

function options(count: number, scheme = 'exact'): { scheme: string }[] {
  return Array.from({ length: count }, () => ({ scheme }));
}

describe('the combined outcome of several options', () => {
  test.each<[string, readonly unknown[], string]>([
    ['the only option', options(1, 'upto'), ''],
    ['one of two', [...options(1), ...options(1, 'upto')], ' (accepts[1]; affects 1 of 2 options)'],
    ['all options up to the limit', options(64, 'upto'), ' (accepts[0]; affects 64 of 64 options)'],
    ['the options up to the limit', options(65, 'upto'), ' (accepts[0]; affects 64 of the first 64 options)'],
    [
      'one option up to the limit',
      [...options(1, 'upto'), ...options(64)],
      ' (accepts[0]; affects 1 of the first 64 options)',
    ],
    [
      'one option among entries that are not objects',
      [...options(1, 'upto'), ...Array.from({ length: 99 }, () => null)],
      ' (accepts[0]; affects 1 of the first 64 options)',
    ],
  ])('reports that %s failed', (_, accepts, share) => {
    expect(checkScheme(...accepts)).toEqual({ message: `scheme is not exact.${share}` });
  });

  test('is no failure when nothing failed or nothing was checked', () => {
    expect(checkScheme(...options(2))).toBe('pass');
    expect(checkScheme()).toBe('skip');
    expect(checkEachEntry(null, () => 'pass')).toBe('skip');
  });
});
