import { generateKeyPairSync } from 'node:crypto';
import { keySetSchema, SCHEMAS } from '@touchstone/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const BASE = 'https://touchstone.example';

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv('SUPABASE_URL', 'http://localhost:1');
  vi.stubEnv('SUPABASE_PUBLISHABLE_KEY', 'publishable');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'secret');
  vi.stubEnv('REPORT_SIGNING_KEYS', '');
  vi.stubEnv('BASE_URL', BASE);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('/schemas', () => {
  const get = async (path: string): Promise<Response> => {
    const { GET } = await import('./app/schemas/[...path]/route.ts');
    return GET(new Request(`http://localhost${path}`));
  };

  it.each(Object.values(SCHEMAS).map(({ path }) => path))('serves %s under its own $id', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      $id: `${BASE}${path}`,
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it.each(['/schemas/x402-trust/9.9.9.json', '/schemas/', '/schemas/__proto__', '/schemas/constructor'])(
    'knows no %s',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'unknown-resource', status: 404 });
    },
  );
});

describe('/.well-known/touchstone-keys.json', () => {
  const get = async (): Promise<Response> => {
    const { GET } = await import('./app/.well-known/touchstone-keys.json/route.ts');
    return GET(new Request(`http://localhost/.well-known/touchstone-keys.json`));
  };

  it('publishes the public half of what signs, and nothing of the private one', async () => {
    const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    vi.stubEnv('REPORT_SIGNING_KEYS', JSON.stringify(jwk));
    const response = await get();
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).not.toContain(String(jwk.d));
    expect(keySetSchema.parse(JSON.parse(text)).keys.map(({ x }) => x)).toEqual([jwk.x]);
  });

  it('is not there where nothing is signed', async () => {
    expect((await get()).status).toBe(404);
  });
});
