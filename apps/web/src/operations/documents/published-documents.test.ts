import { generateKeyPairSync } from 'node:crypto';
import {
  createMcpServerCard,
  keySetSchema,
  OPERATIONS,
  SCHEMAS,
  toSchemaPath,
  SERVER_CARD_PATHS,
} from '@touchstone/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const BASE = 'https://touchstone.example';
const IN_CONTRACT = 'https://api.example.com/v1/weather';

const findSampleResource = vi.hoisted(() => vi.fn<() => Promise<string | null | undefined>>());
vi.mock('./sample-resource.ts', () => ({ findSampleResource }));

beforeEach(() => {
  vi.resetModules();
  findSampleResource.mockResolvedValue(undefined);
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
  let GET: (typeof import('../../app/schemas/[[...path]]/route.ts'))['GET'];
  beforeEach(async () => {
    ({ GET } = await import('../../app/schemas/[[...path]]/route.ts'));
  });
  const get = async (path: string): Promise<Response> => {
    return GET(new Request(`http://localhost${path}`));
  };

  it('serves every schema under its own $id', async () => {
    for (const path of Object.keys(SCHEMAS).map(toSchemaPath)) {
      const response = await get(path);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect([response.status, await response.json()]).toMatchObject([200, { $id: `${BASE}${path}` }]);
    }
  });

  it('responds with 404 to other paths', async () => {
    for (const path of ['/schemas/x402-trust/9.9.9.json', '/schemas/', '/schemas/__proto__'])
      expect(await (await get(path)).json()).toMatchObject({ code: 'unknown-resource', status: 404 });
  });
});

describe('/.well-known/touchstone-keys.json', () => {
  const get = async (): Promise<Response> => {
    const { GET } = await import('../../app/.well-known/touchstone-keys.json/route.ts');
    return GET(new Request(`http://localhost/.well-known/touchstone-keys.json`));
  };

  it('publishes the public signing keys without the private part', async () => {
    const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    vi.stubEnv('REPORT_SIGNING_KEYS', JSON.stringify(jwk));
    const response = await get();
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).not.toContain(String(jwk.d));
    expect(keySetSchema.parse(JSON.parse(text)).keys.map(({ x }) => x)).toEqual([jwk.x]);
  });

  it('responds with 404 without signing keys', async () => {
    expect((await get()).status).toBe(404);
  });
});

describe('/openapi.json', () => {
  const get = async (): Promise<Response> => {
    const { GET } = await import('../../app/openapi.json/route.ts');
    return GET(new Request('http://localhost/openapi.json'));
  };

  it('is the document of the contract with code examples for each operation', async () => {
    const document = (await (await get()).json()) as {
      readonly openapi: string;
      readonly paths: Record<string, Record<string, { 'x-codeSamples': { lang: string; source: string }[] }>>;
    };
    expect(document.openapi).toBe('3.1.0');
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(operations).toHaveLength(OPERATIONS.length);
    for (const operation of operations) {
      expect(operation['x-codeSamples'].map(({ lang }) => lang)).toEqual(['shell', 'typescript', 'python']);
      for (const { source } of operation['x-codeSamples']) expect(source).toContain(BASE);
    }
  });

  it('has the contact and the guidance of the configuration', async () => {
    vi.stubEnv('API_CONTACT', 'operator@touchstone.example');
    vi.stubEnv('API_GUIDANCE', 'Call the summary first.');
    expect(await (await get()).json()).toMatchObject({
      info: { contact: { email: 'operator@touchstone.example' }, 'x-guidance': 'Call the summary first.' },
    });
  });

  it('uses the same example endpoint as llms.txt, and the example of the contract without a database', async () => {
    const llms = await import('../../app/llms.txt/route.ts');
    const texts = async (): Promise<readonly string[]> => [
      await (await get()).text(),
      await (await llms.GET(new Request('http://localhost/llms.txt'))).text(),
    ];
    for (const text of await texts()) expect(text).toContain(IN_CONTRACT);
    const listed = 'https://listed.example/v2/prices';
    findSampleResource.mockResolvedValue(listed);
    for (const text of await texts()) expect(text).toContain(listed);
    const { paths } = JSON.parse((await texts())[0] ?? '') as { readonly paths: object };
    const bodies = JSON.stringify(paths).match(/"requestBody":\{.*?"example":\{[^}]*\}/g) ?? [];
    expect(bodies.length).toBeGreaterThan(2);
    for (const body of bodies) expect(body).not.toContain(IN_CONTRACT);
    expect(JSON.stringify(paths)).toMatch(/"example":"listed-example-v2-prices-[a-z2-7]{10}"/);
  });
});

describe('the web server', () => {
  it.each([
    ['/openapi.json', () => import('../../app/openapi.json/route.ts')],
    ['/llms.txt', () => import('../../app/llms.txt/route.ts')],
    ['/schemas/problem/1.0.0.json', () => import('../../app/schemas/[[...path]]/route.ts')],
    [SERVER_CARD_PATHS[1], async () => (await import('../mcp/server-card-route.ts')).serverCardRoute],
    ['/robots.txt', async () => (await import('../../views/sitemap/sitemap-routes.ts')).robotsRoute],
  ])('keeps the text of %s, unless the endpoint in its examples could not be read', async (path, load) => {
    const { takeDocumentText } = await import('../../api/document-texts.ts');
    for (const listed of ['https://listed.example/v2/prices', null, undefined]) {
      findSampleResource.mockResolvedValue(listed);
      const response = await (await load()).GET(new Request(`${BASE}${path}`));
      const isKept = takeDocumentText(response.headers.get('etag') ?? '') === (await response.text());
      const hasExamples = path === '/openapi.json' || path === '/llms.txt';
      expect(isKept).toBe(!hasExamples || listed !== undefined);
    }
  });
});

describe('the MCP server card', () => {
  it('is served with its media type to any origin', async () => {
    const { serverCardRoute } = await import('../mcp/server-card-route.ts');
    const response = await serverCardRoute.GET(new Request(`${BASE}${SERVER_CARD_PATHS[1]}`));
    expect(response.headers.get('content-type')).toBe('application/mcp-server-card+json');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual(createMcpServerCard(BASE));
  });
});

describe('/.well-known/x402', () => {
  const get = async (): Promise<Response> => {
    const { GET } = await import('../../app/.well-known/x402/route.ts');
    return GET(new Request('http://localhost/.well-known/x402'));
  };

  it('lists the paid operations and the recipient', async () => {
    vi.stubEnv('X402_PAY_TO', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
    vi.stubEnv('X402_FACILITATOR_URL', 'https://facilitator.example');
    vi.stubEnv('RPC_URLS', 'base=https://rpc.example');
    const text = await (await get()).text();
    for (const { path, priceUsd } of OPERATIONS) {
      if (priceUsd !== null) expect(text).toContain(`${BASE}${path}`);
    }
    expect(text).toContain('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
  });

  it('responds with 404 if payments are disabled', async () => {
    vi.stubEnv('X402_PAY_TO', '');
    expect((await get()).status).toBe(404);
  });
});
