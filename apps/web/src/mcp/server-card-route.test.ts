import { createMcpServerCard, SERVER_CARD_PATHS } from '@touchstone/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

beforeAll(() => vi.stubEnv('BASE_URL', 'https://touchstone.example'));
afterAll(() => void vi.unstubAllEnvs());

describe('the server card', () => {
  it('is served with its media type to any origin', async () => {
    const { serverCardRoute } = await import('./server-card-route.ts');
    const response = await serverCardRoute.GET(
      new Request(`https://touchstone.example${SERVER_CARD_PATHS[1]}`),
    );
    expect(response.headers.get('content-type')).toBe('application/mcp-server-card+json');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual(createMcpServerCard('https://touchstone.example'));
  });
});
