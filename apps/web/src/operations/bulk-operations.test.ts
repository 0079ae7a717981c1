import { BULK_SIZES, TEXT_LIMITS } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { createBulkOperation } from './bulk-operations.ts';

describe('createBulkOperation', () => {
  it.each(BULK_SIZES)('accepts at most %i URLs', (size) => {
    const { input, operation } = createBulkOperation(size);
    expect(operation.path).toBe(`/v1/x402-trust-bulk-${size}`);
    const parse = (count: number) =>
      input.safeParse({
        body: { resources: Array.from({ length: count }, () => 'https://api.example.com/') },
        query: {},
        params: {},
      }).success;
    expect([parse(0), parse(1), parse(size), parse(size + 1)]).toEqual([false, true, true, false]);
  });

  it('binds the payment to the list, and to none of its endpoints', () => {
    const { toResource } = createBulkOperation(500);
    const resources = Array.from({ length: 500 }, (_, index) => `https://api.example.com/${index}`);
    const text = toResource({ resources });
    expect(text).toMatch(/^bulk:[0-9a-f]{64}$/);
    expect(text.length).toBeLessThan(TEXT_LIMITS.resource);
    expect(toResource({ resources: resources.toReversed() })).not.toBe(text);
  });
});
