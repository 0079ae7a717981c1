import { RATE_POLICIES } from '@touchstone/contract';
import { expect, it, vi } from 'vitest';
import { createProcessCounter } from '../../api/rate-limit/process-counter.ts';
import { getProcessValue } from '../../platform/process-value.ts';
import { useTestDatabase } from '../../testing/test-database.ts';

const { getModules } = useTestDatabase(() => {
  vi.stubEnv('TRUSTED_PROXIES', '1');
  return import('../../app/mcp/route.ts');
});

const [BUSY, HONEST, EXHAUSTED] = ['203.0.113.1', '203.0.113.2', '203.0.113.3'] as const;

it('serves a client beside the waiting messages of another client, and first refuses a client over its limit', async () => {
  const finished: string[] = [];
  const post = async (client: string): Promise<void> => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': client };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const init = { method: 'POST', headers, body };
    const { status } = await getModules().POST(new Request('https://touchstone.example/mcp', init));
    finished.push(`${client} ${status}`);
  };
  const counter = getProcessValue('rate-limit-counter', () => createProcessCounter(Date.now));
  counter.count(EXHAUSTED, RATE_POLICIES.mcp, RATE_POLICIES.mcp.limit);
  await Promise.all([...Array<string>(100).fill(BUSY), HONEST, EXHAUSTED].map(post));
  expect(finished[0]).toBe(`${EXHAUSTED} 429`);
  expect(finished.indexOf(`${HONEST} 200`)).toBeLessThan(10);
});
