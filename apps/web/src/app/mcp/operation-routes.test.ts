import { findOperation, OPERATIONS, RATE_POLICIES, TOOLS } from '@touchstone/contract';
import { NextRequest } from 'next/server';
import { describe, expect, it, vi } from 'vitest';
import { createProcessCounter } from '../../api/rate-limit/process-counter.ts';
import type { ApiHandler, RouteExports } from '../../api/route.ts';
import { getProcessValue } from '../../platform/process-value.ts';
import { useTestDatabase } from '../../testing/test-database.ts';

/** Operations that respond with a document. They have no tool and no rate limit. */
const DOCUMENTS = ['getKeySet', 'getOpenApiDocument', 'getSchema'];

const ORIGIN = 'https://touchstone.example';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
const { getModules } = useTestDatabase(async () => {
  vi.stubEnv('TRUSTED_PROXIES', '1');
  return {
    ...(await import('./operation-routes.ts')),
    ...(await import('../../operations/routes/claim-routes.ts')),
    ...(await import('../../operations/routes/dispute-route.ts')),
    ...(await import('../../operations/routes/outcome-route.ts')),
    ...(await import('../../operations/routes/purchase-routes.ts')),
    ...(await import('../../operations/routes/summary-routes.ts')),
    ...(await import('../../proxy.ts')),
    documents: [
      await import('../.well-known/touchstone-keys.json/route.ts'),
      await import('../openapi.json/route.ts'),
      await import('../schemas/[[...path]]/route.ts'),
    ],
  };
});

/** Returns the handlers of an operation by method. */
function getHandlers(id: string): Readonly<Partial<Record<string, ApiHandler>>> {
  const { OPERATION_ROUTES, endpointSummaryRoute, disputeRoute, correctionsRoute, documents } = getModules();
  const { deliveryLedgerRoute, purchaseRoute } = getModules();
  const { claimsRoute, claimRoute, claimVerifyRoute, claimRecheckRoute } = getModules();
  if (id === 'createDispute') return disputeRoute;
  if (id === 'reportOutcome') return getModules().outcomeRoute;
  if (id === 'listCorrections') return correctionsRoute;
  if (id === 'getDeliveryLedger') return deliveryLedgerRoute;
  if (id === 'getPurchase') return purchaseRoute;
  if (id === 'getEndpointSummary') return endpointSummaryRoute;
  if (id === 'listEndpointSummaries') return getModules().rangeSummariesRoute;
  const path = OPERATIONS.find((operation) => operation.id === id)?.path ?? '';
  // Providers and not agents claim hosts, so no tool calls these operations.
  const claims: Readonly<Partial<Record<string, RouteExports>>> = {
    '/v1/claim': claimsRoute,
    '/v1/claim/{id}': claimRoute,
    '/v1/claim/{id}/verify': claimVerifyRoute,
    '/v1/claim/{id}/recheck': claimRecheckRoute,
  };
  return { ...(OPERATION_ROUTES[path] ?? claims[path] ?? documents[DOCUMENTS.indexOf(id)]) };
}

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
    for (const method of METHODS.filter((each) => each === 'OPTIONS' || !allow.includes(each))) {
      // Next knows no handler for PROPFIND, so the proxy responds.
      const handler = method === 'PROPFIND' ? getModules().proxy : getHandlers(id)[method];
      const response = await handler?.(new NextRequest(`${ORIGIN}${url}`, { method }));
      expect(response, method).toBeDefined();
      if (response === undefined) continue;
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

it.each(OPERATIONS.filter(({ id }) => !DOCUMENTS.includes(id)))(
  '$id refuses a client over the rate limit of its kind',
  async ({ id, method, path, priceUsd }) => {
    const { free, summary, rangeSummaries, dispute, outcome, paymentStatus, check, claim, unpaid, paid } =
      RATE_POLICIES;
    // All operations of a path share the handlers of its first operation.
    const handlers = getHandlers(paths.find((each) => each.path === path)?.id ?? '');
    const counter = getProcessValue('rate-limit-counter', () => createProcessCounter(Date.now));
    const isClaim = /^(createClaim|verifyClaim|recheckEndpoint)$/.test(id);
    const named = {
      ...{ createDispute: dispute, reportOutcome: outcome, checkEndpoint: check },
      getPaymentStatus: paymentStatus,
      listEndpointSummaries: rangeSummaries,
    };
    const own = id in named ? named[id as keyof typeof named] : isClaim ? claim : free;
    const unpriced = /EndpointSummary$/.test(id) ? summary : own;
    for (const [index, policy] of (priceUsd === null ? [unpriced] : [unpaid, paid]).entries()) {
      // The client is over one limit only. The limit for payments applies to requests with a payment only.
      const client = `203.0.113.${String(index)}`;
      counter.replace(client, policy, { allowed: false, remaining: 0, resetsAt: Date.now() + 60_000 });
      const headers = {
        'x-forwarded-for': client,
        ...(policy === paid ? { 'payment-signature': 'eyJ9' } : {}),
      };
      const response = await handlers[method]?.(new Request(`${ORIGIN}${path}`, { method, headers }));
      expect(response?.headers.get('ratelimit-policy')).toMatch(new RegExp(`^"${policy.name}";`));
      expect([response?.status, await response?.json()]).toMatchObject([429, { code: 'rate-limited' }]);
    }
  },
);

const FREE_OPERATIONS = OPERATIONS.filter(({ id, priceUsd }) => priceUsd === null && !DOCUMENTS.includes(id));

it.each(
  FREE_OPERATIONS.filter(
    ({ parameters, requestBody }) => parameters.length > 0 || requestBody?.required === true,
  ),
)('$id refuses an unknown query parameter', async ({ method, path }) => {
  const example = paths.find((each) => each.path === path);
  const handler = getHandlers(example?.id ?? '')[method];
  const response = await handler?.(new Request(`${ORIGIN}${example?.url ?? ''}?unknown=1`, { method }));
  const body: unknown = await response?.json();
  expect(body).toMatchObject({
    ...{ status: 400, code: 'invalid-request', errors: [{ path: 'unknown' }] },
  });
});

it('every operation that a tool uses has a route, and no others', () => {
  const used = new Set(TOOLS.flatMap(({ operations }) => operations.map(({ path }) => path)));
  expect(Object.keys(getModules().OPERATION_ROUTES).sort()).toEqual([...used].sort());
});

it('a call of an operation without a tool fails', async () => {
  const operation = findOperation('GET', '/openapi.json');
  await expect(operation && getModules().callOperation(operation, new Request(ORIGIN))).rejects.toThrow(
    'getOpenApiDocument',
  );
});
