import { createDisputeOperation } from '@touchstone/contract/operations/dispute/operation';
import { problemSchema } from '@touchstone/contract';
import { beforeEach, expect, it } from 'vitest';
import { useTestDatabase } from '../../testing/test-database.ts';

const { database, getModules } = useTestDatabase(() => import('./dispute-route.ts'));
beforeEach(() => database.reset());

const EXAMPLE = createDisputeOperation.requestBody?.example ?? {};

async function post(change: object, path = '/v1/dispute') {
  const body = JSON.stringify({ ...EXAMPLE, ...change });
  const headers = { 'content-type': 'application/json' };
  const request = new Request(`https://touchstone.example${path}`, { method: 'POST', headers, body });
  const response = await getModules().disputeRoute.POST(request);
  return { response, problem: problemSchema.parse(await response.json()) };
}

it.each([
  ['a text with a link', { text: 'See https://evil.example/ for the proof.' }, 'text'],
  ['a text with a line break', { text: 'a\nb' }, 'text'],
  ['a subject that is no name', { subject: 'price spike' }, 'subject'],
  ['a proof of two kinds', { proof: { claim_id: 'c_aaaaaaaaaaaaaaaaaaaaaaaaaa', wallet: '0x' } }, 'proof'],
])('refuses %s without a query', async (_, change, path) => {
  const { response, problem } = await post(change);
  expect(response.status).toBe(400);
  expect(problem.errors?.map((error) => error.path.split('.')[0])).toContain(path);
  expect(database.listCalls()).toEqual([]);
});

it('looks up the endpoint with its wallet, within its own limit', async () => {
  const { response, problem } = await post({});
  expect([response.status, problem.code]).toEqual([404, 'unknown-resource']);
  expect(response.headers.get('ratelimit-policy')).toMatch(/^"dispute";q=/);
  expect(database.findCall('dispute_subject')).toMatchObject({
    p_wallet: (EXAMPLE['proof'] as { wallet: string }).wallet,
  });
});
