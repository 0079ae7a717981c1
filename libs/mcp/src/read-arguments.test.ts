import { TOOLS } from '@touchstone/contract';
import { expect, it } from 'vitest';
import { readArguments } from './read-arguments.ts';

it('reads a list as JSON text only up to the maximum number of values of a body', () => {
  const bulk = TOOLS.find(({ name }) => name === 'x402_trust_bulk') ?? expect.fail();
  const read = (length: number) => {
    const resources = JSON.stringify(Array.from({ length }, () => 1));
    return readArguments(bulk, { resources }).members['resources'];
  };
  expect(read(999)).toHaveLength(999);
  expect(read(1_000)).toBeTypeOf('string');
});
