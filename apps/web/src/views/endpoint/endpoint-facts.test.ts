import type { EndpointDay } from '@touchstone/store';
import { expect, it } from 'vitest';
import { describePriceChange } from './endpoint-facts.tsx';

const createDays = (...prices: readonly (string | null)[]): readonly EndpointDay[] =>
  prices.map((amountUsd, index) => ({
    ...{
      latencyMsP50: 300,
      latencyMsP95: 500,
      day: `2026-03-0${String(index + 1)}`,
      probes: 48,
      scored: 48,
      up: 48,
      amountUsd,
    },
  }));

it.each([
  ['0.400000', createDays('0.020000', '0.020000', '0.400000'), 'was $0.02 until 2026-03-02'],
  ['0.400000', createDays('0.400000', '0.020000', null, '0.400000'), 'was $0.02 until 2026-03-02'],
  ['0.400000', createDays(null, '0.400000', '0.40'), 'unchanged since 2026-03-02'],
  ['0.400000', createDays(null), 'not observed in the last 30 days'],
  [null, createDays('0.020000'), undefined],
])('the change of the price %s', (amountUsd, days, change) => {
  expect(describePriceChange({ amountUsd, templated: false, isCompliant: true }, days)).toBe(change);
});

it('the price of a template has no change', () => {
  const days = createDays('0.020000', '0.400000');
  expect(describePriceChange({ amountUsd: '0.400000', templated: true, isCompliant: true }, days)).toBe(
    'can vary by item',
  );
});
