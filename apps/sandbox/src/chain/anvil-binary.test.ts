import { expect, test } from 'vitest';
import { findAnvilBinary } from './anvil-binary.ts';

test('finds the executable of this platform, and none of an unsupported one', () => {
  expect(findAnvilBinary()).toMatch(/anvil(\.exe)?$/);
  expect(findAnvilBinary({ platform: 'sunos', arch: 'x64' })).toBeNull();
});
