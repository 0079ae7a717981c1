import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../operations/operations.ts';
import { listSchemas } from '../testing/list-schemas.ts';
import { createDiscoveryExtension } from './discovery-extension.ts';

describe.each(OPERATIONS)('the bazaar extension of $method $path', (operation) => {
  it('states the type of the items of each array', () => {
    const arrays = listSchemas(createDiscoveryExtension(operation)).filter(({ type }) => type === 'array');
    for (const schema of arrays) expect(schema).toHaveProperty('items.type');
    // The input of these operations contains an array.
    if (operation.path.includes('bulk')) expect(arrays).toHaveLength(1);
  });
});
