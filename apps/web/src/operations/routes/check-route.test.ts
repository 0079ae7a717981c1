import { CHECK_EXAMPLE, checkSchema } from '@touchstone/contract/operations/check/response';
import { problemSchema } from '@touchstone/contract';
import type { CheckOutcome } from '@touchstone/pipeline/checks/run-check';
import type { KeptCheck } from '@touchstone/store';
import { beforeEach, expect, it, vi } from 'vitest';
import { useTestDatabase } from '../../testing/test-database.ts';

const { code: _, ...EXAMPLE } = CHECK_EXAMPLE;
const KEPT: KeptCheck = {
  check: EXAMPLE,
  repair: {
    route: {
      ...{ method: 'GET', url: EXAMPLE.resource, description: null, mimeType: null, isForBrowsers: false },
      options: [{ network: 'eip155:8453', price: '$0.01', payTo: '0x1', maxTimeoutSeconds: 60, remarks: [] }],
      remarks: [],
    },
    ...{ repairs: ['v2-network-caip2'], recognizedStack: 'hono' },
  },
};

let outcome: CheckOutcome = { kind: 'result', body: KEPT };
const check = vi.fn(() => Promise.resolve(outcome));
vi.mock('@touchstone/pipeline/checks/check-live', () => ({ createCheckService: () => ({ check }) }));
vi.mock('../report-context.ts', () => ({ getReportContext: () => Promise.resolve({}) }));

const { getModules } = useTestDatabase(() => import('./check-route.ts'));
beforeEach(() => {
  outcome = { kind: 'result', body: KEPT };
  check.mockClear();
});

const send = (body: unknown): Promise<Response> | Response =>
  getModules().checkRoute.POST(
    new Request('https://touchstone.example/v1/check', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );

it('responds with the check, and with the code of the chosen or recognized stack', async () => {
  const response = await send({ resource: EXAMPLE.resource, method: 'POST', stack: 'go' });
  expect(response.headers.get('cache-control')).toBe('no-store');
  const body = checkSchema.parse(await response.json());
  expect(body.code).toMatchObject({ stack: 'go', isRecognized: false, repairs: ['v2-network-caip2'] });
  expect(Object.keys(body).slice(0, 3)).toEqual(['outcome', 'headline', 'step']);
  expect(check).toHaveBeenCalledWith(expect.objectContaining({ resource: EXAMPLE.resource, method: 'POST' }));
  const recognized = await send({ resource: EXAMPLE.resource });
  expect(checkSchema.parse(await recognized.json()).code).toMatchObject({
    stack: 'hono',
    isRecognized: true,
  });
});

it('says when a limited request can be sent again', async () => {
  outcome = { kind: 'problem', code: 'rate-limited', detail: 'Wait.', retryAfterSeconds: 10 };
  const response = await send({ resource: EXAMPLE.resource });
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '10']);
  expect(problemSchema.parse(await response.json())).toMatchObject({ code: 'rate-limited', detail: 'Wait.' });
});

it.each([
  [{ resource: 'weather' }, 'resource'],
  [{ resource: EXAMPLE.resource, method: 'HEAD' }, 'method'],
  [{ resource: EXAMPLE.resource, stack: 'rails' }, 'stack'],
])('refuses %j without a check', async (body, path) => {
  const problem = problemSchema.parse(await (await send(body)).json());
  expect(problem).toMatchObject({ code: 'invalid-request', errors: [{ path }] });
  expect(check).not.toHaveBeenCalled();
});
