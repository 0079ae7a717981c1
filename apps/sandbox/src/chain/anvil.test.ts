import { expect, test } from 'vitest';
import { findAnvilBinary } from './anvil.ts';

test('finds the executable for this platform, and returns null for an unsupported platform', () => {
  expect(findAnvilBinary()).toMatch(/anvil(\.exe)?$/);
  expect(findAnvilBinary({ platform: 'sunos', arch: 'x64' })).toBeNull();
});
