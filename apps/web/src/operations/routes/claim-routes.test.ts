import { claimCreatedSchema, problemSchema, RATE_POLICIES } from '@touchstone/contract';
import { createClaimSecret, toClaimIdentity } from '@touchstone/pipeline/claims/claim-secret';
import { beforeEach, expect, it, vi } from 'vitest';
import { SNAPSHOT_ROW } from '../../testing/database-rows.ts';
import { useTestDatabase } from '../../testing/test-database.ts';

const { database, getModules } = useTestDatabase(() => {
  vi.stubEnv('TRUSTED_PROXIES', '1');
  return import('./claim-routes.ts');
});
beforeEach(() => database.reset());

const { host } = SNAPSHOT_ROW;
const secret = createClaimSecret();
const { id } = toClaimIdentity(secret);

interface Sent {
  readonly path?: string;
  readonly body?: unknown;
  readonly secret?: string;
  readonly client?: string;
}

function createRequest(
  method: string,
  { path = '', body, secret: sent, client = '203.0.113.9' }: Sent,
): Request {
  return new Request(`https://touchstone.example/v1/claim${path}`, {
    method,
    headers: {
      'x-forwarded-for': client,
      ...(sent === undefined ? {} : { authorization: `Bearer ${sent}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const create = (body: unknown) => getModules().claimsRoute.POST(createRequest('POST', { body }));
const verify = (sent: Sent) =>
  getModules().claimVerifyRoute.POST(
    createRequest('POST', { path: `/${id}/verify`, body: { host }, ...sent }),
  );
const readCode = async (response: Response) => problemSchema.parse(await response.json()).code;

it('a claim is created with a secret that belongs to its id, and nothing is stored', async () => {
  const response = await create({ host });
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const claim = claimCreatedSchema.parse(await response.json());
  expect(toClaimIdentity(claim.secret).id).toBe(claim.claim_id);
  expect(database.listCalls()).toEqual(['is_claimable']);
});

it.each([
  ['https://api.example.com', 'invalid-request'],
  ['api.example.com:8443', 'invalid-request'],
  ['203.0.113.7/file', 'invalid-request'],
  ['localhost', 'invalid-request'],
  ['unknown.example.com', 'unknown-resource'],
])('no claim is created for %s', async (name, code) => {
  expect(await readCode(await create({ host: name }))).toBe(code);
});

it.each([
  ['without a secret', undefined],
  ['with the secret of another claim', createClaimSecret()],
])('no operation on a claim works %s, and no host or table is read', async (_, wrong) => {
  const sent = { path: `/${id}`, ...(wrong === undefined ? {} : { secret: wrong }) };
  const { claimRoute, claimRecheckRoute } = getModules();
  const recheck = { ...sent, path: `/${id}/recheck`, body: { resource: SNAPSHOT_ROW.resource } };
  const responses = await Promise.all([
    claimRoute.GET(createRequest('GET', sent)),
    claimRoute.PATCH(createRequest('PATCH', { ...sent, body: { opt_out: true } })),
    claimRecheckRoute.POST(createRequest('POST', recheck)),
    claimRoute.DELETE(createRequest('DELETE', sent)),
    verify({ ...sent, path: `/${id}/verify` }),
  ]);
  for (const response of responses) {
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await readCode(response)).toBe('unauthorized');
  }
  expect(database.listCalls()).toEqual([]);
});

it('a client guesses a limited number of secrets', async () => {
  const guess = () => verify({ secret: createClaimSecret(), client: '203.0.113.10' });
  const { limit } = RATE_POLICIES.claim;
  const statuses = await Promise.all(Array.from({ length: limit + 1 }, async () => (await guess()).status));
  expect(statuses.filter((status) => status === 401)).toHaveLength(limit);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});
