import { expect, test } from 'vitest';
import { anvilBinary } from './anvil-binary.ts';

test('the chain comes with npm for this machine, and for some others not at all', () => {
  expect(anvilBinary()).toMatch(/anvil(\.exe)?$/);
  expect(anvilBinary({ platform: 'sunos', arch: 'x64' })).toBeNull();
});
