import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileContracts } from './compile-contracts.ts';

test('the code that is placed on the chain is what the contracts compile to', () => {
  const kept = readFileSync(new URL('contracts.generated.ts', import.meta.url), 'utf8');
  expect(kept).toBe(compileContracts());
});
