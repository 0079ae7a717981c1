import { findOperation, OPERATIONS, TOOLS } from '@touchstone/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SNAPSHOT_ROW, startSnapshotDatabase } from '../testing/snapshot-database.ts';

let database: Awaited<ReturnType<typeof startSnapshotDatabase>>;
let module: typeof import('./operation-routes.ts');
beforeAll(async () => {
  // The database client and the limiters of other test files in this process must not be used.
  vi.resetModules();
  database = await startSnapshotDatabase();
  module = await import('./operation-routes.ts');
});
afterAll(() => database.close());

const ORIGIN = 'https://touchstone.example';

describe('OPERATION_ROUTES', () => {
  it('has routes for operations of the contract only', () => {
    const ids = OPERATIONS.map(({ id }) => id);
    for (const id of Object.keys(module.OPERATION_ROUTES)) expect(ids).toContain(id);
  });
});

describe('callOperation', () => {
  it.each(
    TOOLS.flatMap(({ operations }) => operations).map((operation) => [operation.id, operation] as const),
  )('has a handler for %s, which a tool uses', async (id, operation) => {
    const handlers = new Map(Object.entries(module.OPERATION_ROUTES)).get(id);
    const response = await handlers?.OPTIONS(new Request(ORIGIN, { method: 'OPTIONS' }));
    expect(response?.headers.get('allow')?.split(', ')).toContain(operation.method);
  });

  it('responds like the HTTP route, with its rate limit', async () => {
    const operation = findOperation('GET', '/v1/x402-summary');
    const url = `${ORIGIN}/v1/x402-summary?resource=${encodeURIComponent(SNAPSHOT_ROW.resource)}`;
    const response = operation && (await module.callOperation(operation, new Request(url)));
    expect(response?.status).toBe(200);
    expect(response?.headers.get('ratelimit')).not.toBeNull();
    expect(await response?.json()).toMatchObject({ endpoint: { resource: SNAPSHOT_ROW.resource } });
  });

  it('responds to a paid operation without payments like its HTTP route', async () => {
    const operation = findOperation('POST', '/v1/x402-trust-bulk-10');
    const request = new Request(`${ORIGIN}/v1/x402-trust-bulk-10`, { method: 'POST' });
    const response = operation && (await module.callOperation(operation, request));
    expect(await response?.json()).toMatchObject({ code: 'payment-unavailable', notCharged: true });
  });

  it('rejects for an operation without a tool', async () => {
    const operation = findOperation('GET', '/openapi.json');
    await expect(operation && module.callOperation(operation, new Request(ORIGIN))).rejects.toThrow(
      'getOpenApiDocument',
    );
  });
});
