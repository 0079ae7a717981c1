import { findOperation, OPERATIONS, TOOLS } from '@touchstone/contract';
import { NextRequest } from 'next/server';
import { describe, expect, it } from 'vitest';
import type { ApiHandler } from '../api/route.ts';
import { useTestDatabase } from '../testing/test-database.ts';

const ORIGIN = 'https://touchstone.example';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
const { getModules } = useTestDatabase(async () => ({
  ...(await import('./operation-routes.ts')),
  ...(await import('../proxy.ts')),
}));

/** Paths of the operations, each with an example URL, its methods in the order of `Allow`, and the id of an operation. */
const paths = [...Map.groupBy(OPERATIONS, ({ path }) => path)].map(([path, operations]) => {
  const methods = METHODS.filter((method) => operations.some((operation) => operation.method === method));
  const url = path.replace(/\{(\w+)\}/g, (_, name) =>
    name === 'id' ? `w_${'a'.repeat(26)}` : 'a-abcdefgh27',
  );
  return {
    ...{
      path,
      url,
      id: operations[0]?.id ?? '',
      isPaid: operations.some(({ priceUsd }) => priceUsd !== null),
    },
    allow: [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'],
    hint: `Method not allowed. Use ${methods.join(', ').replace(/, (\w+)$/, ' or $1')}.`,
  };
});

describe.each(paths)('$path', ({ url, id, isPaid, allow, hint }) => {
  it('has one list of methods in its route, in preflights and in the proxy', async () => {
    const found = new Map<string, Readonly<Record<string, ApiHandler>>>(
      Object.entries(getModules().OPERATION_ROUTES),
    ).get(id);
    for (const method of METHODS.filter((each) => each === 'OPTIONS' || !allow.includes(each))) {
      const handler = method === 'PROPFIND' ? getModules().proxy : found?.[method];
      if (handler === undefined) continue;
      const response = await handler(new NextRequest(`${ORIGIN}${url}`, { method }));
      const headers = Object.fromEntries(response.headers);
      expect(headers).toMatchObject({ allow: allow.join(', '), 'access-control-allow-origin': '*' });
      if (method === 'OPTIONS') {
        expect([response.status, headers['access-control-allow-methods']]).toEqual([204, headers['allow']]);
        continue;
      }
      const isCompleted = isPaid && method !== 'PROPFIND';
      expect(await response.json()).toMatchObject({
        ...{ status: 405, code: 'method-not-allowed', instance: url },
        detail: isCompleted ? `${hint} Nothing was charged.` : hint,
        ...(isCompleted ? { notCharged: true } : {}),
      });
    }
  });
});

it('every operation that a tool uses has a route, and no others', () => {
  const used = TOOLS.flatMap(({ operations }) => operations.map(({ id }) => id));
  // The summary by slug has the same handlers as the summary by URL.
  expect(Object.keys(getModules().OPERATION_ROUTES).sort()).toEqual([...used, 'getEndpointSummary'].sort());
});

it('a call of an operation without a tool fails', async () => {
  const operation = findOperation('GET', '/openapi.json');
  await expect(operation && getModules().callOperation(operation, new Request(ORIGIN))).rejects.toThrow(
    'getOpenApiDocument',
  );
});
