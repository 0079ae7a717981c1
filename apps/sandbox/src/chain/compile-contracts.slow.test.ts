import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileContracts } from './compile-contracts.ts';

test('the generated file matches the contracts', () => {
  const generated = readFileSync(new URL('contracts.generated.ts', import.meta.url), 'utf8');
  expect(generated).toBe(compileContracts());
});
