import { expect, it } from 'vitest';
import { DEFAULT_VANTAGE, isVantage } from './vantage.ts';

it.each([DEFAULT_VANTAGE, 'US', 'Frankfurt am Main', 'eu-central-1', 'Zürich', 'x'.repeat(40)])(
  'accepts %j',
  (text) => {
    expect(isVantage(text)).toBe(true);
  },
);

it.each(['', ' ', ' EU', 'EU ', 'E\nU', 'E\u00a0U', 'E\u200bU', '\u001b[2J', '\ud800', 'x'.repeat(41)])(
  'rejects %j',
  (text) => {
    expect(isVantage(text)).toBe(false);
  },
);
