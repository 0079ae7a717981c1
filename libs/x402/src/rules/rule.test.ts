import { describe, expect, test } from 'vitest';
import { openEnvelope } from '../envelope.ts';
import { eachEntry, expect as demand, type Outcome } from './rule.ts';

/** The outcome of a rule that asks every option for the scheme "exact". */
function judged(...accepts: readonly unknown[]): Outcome {
  return eachEntry(openEnvelope({ x402Version: 2, accepts }), ({ fields: { scheme } }) =>
    demand(scheme === 'exact', 'scheme is not exact.'),
  );
}

function options(count: number, scheme = 'exact'): { scheme: string }[] {
  return Array.from({ length: count }, () => ({ scheme }));
}

describe('one outcome of many options', () => {
  test.each<[string, readonly unknown[], string]>([
    ['the only one', options(1, 'upto'), ''],
    ['one of two', [...options(1), ...options(1, 'upto')], ' (accepts[1]; 1 of 2 options)'],
    ['all that can be read', options(64, 'upto'), ' (accepts[0]; 64 of 64 options)'],
    ['those that are read', options(65, 'upto'), ' (accepts[0]; 64 of the first 64 options)'],
    [
      'one of those that are read',
      [...options(1, 'upto'), ...options(64)],
      ' (accepts[0]; 1 of the first 64 options)',
    ],
    [
      'one among what is no object',
      [...options(1, 'upto'), ...Array.from({ length: 99 }, () => null)],
      ' (accepts[0]; 1 of the first 64 options)',
    ],
  ])('says that %s failed', (_, accepts, share) => {
    expect(judged(...accepts)).toEqual({ message: `scheme is not exact.${share}` });
  });

  test('is no finding where nothing failed or nothing was judged', () => {
    expect(judged(...options(2))).toBe('pass');
    expect(judged()).toBe('skip');
    expect(eachEntry(null, () => 'pass')).toBe('skip');
  });
});
