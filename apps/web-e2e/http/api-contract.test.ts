import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, expect, it } from 'vitest';
import { toEndpointPath } from '../support/endpoint-path.ts';
import { readPublishedApi, type PublishedOperation } from '../support/published-schemas.ts';
import { readDemoWalletKey } from '../support/service-files.ts';
import { waitUntilSearchable } from '../support/searchable.ts';
import { buyWatch, type BoughtWatch } from '../support/watches.ts';
import { decode } from '../support/pages/page-head.ts';
import { getSiteUrl, request } from '../support/site-request.ts';

const run = promisify(execFile);
const RESOURCE = 'https://fxline.sandbox.test/v1/rates/latest';

/** Members of request bodies that identify an endpoint. Their values name an endpoint that the sandbox lists. */
const RESOURCE_MEMBERS: Readonly<Record<string, unknown>> = {
  resource: RESOURCE,
  endpoint: RESOURCE,
  resources: [RESOURCE],
};

/**
 * Operations whose example is refused in the sandbox: the keys of the payTo wallet and of the payer do not exist, so nobody can sign;
 * the claim of the example is not the watch whose secret is sent; no purchase has the id of a watch; and a payment is named by optional
 * parameters.
 */
const REFUSED: Readonly<Record<string, number>> = {
  ...{ createDispute: 400, reportOutcome: 400, createClaim: 404, getPurchase: 404, getPaymentStatus: 400 },
  ...{ getClaim: 401, verifyClaim: 401, editClaim: 401, recheckEndpoint: 401, endClaim: 401 },
};

/** Id and secret of a watch. */
type WatchKey = Pick<BoughtWatch, 'watch_id' | 'secret'>;

/**
 * Converts an example of a request body to a body for the sandbox. Replaces the example endpoint by an endpoint of the
 * sandbox. Removes the delivery URLs, because their host does not exist in the sandbox.
 */
function adaptExample(example: unknown): unknown {
  if (typeof example !== 'object' || example === null) return example;
  const members = Object.entries(example).filter(([name]) => name !== 'delivery');
  return Object.fromEntries(
    members.map(([name, value]: [string, unknown]) => [name, RESOURCE_MEMBERS[name] ?? value]),
  );
}

/** Creates a request to an operation. The values are the examples of the OpenAPI document, adapted to the sandbox. */
function createRequest(
  { method, path, parameters = [], requestBody, security = [] }: PublishedOperation,
  watch: WatchKey,
): readonly [string, RequestInit] {
  const known: Readonly<Record<string, string>> = {
    id: watch.watch_id,
    slug: toEndpointPath(RESOURCE).slice('/endpoint/'.length),
    resource: RESOURCE,
  };
  const required = parameters
    .filter((parameter) => parameter.required === true)
    .map(({ name, in: place, example }) => ({ name, place, value: known[name] ?? String(example) }));
  const query = required.filter(({ place }) => place === 'query').map(({ name, value }) => [name, value]);
  const filled = required
    .filter(({ place }) => place === 'path')
    .reduce((text, { name, value }) => text.replace(`{${name}}`, value), path);
  const body = adaptExample(requestBody?.content['application/json']?.example);
  const needsSecret = security.length > 0;
  return [
    `${getSiteUrl()}${filled}?${new URLSearchParams(query).toString()}`,
    {
      method: method.toUpperCase(),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(needsSecret ? { authorization: `Bearer ${watch.secret}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  ];
}

beforeAll(waitUntilSearchable);

it('every response matches the published document: paid, unpaid and invalid requests', async () => {
  const { operations, findMismatches } = await readPublishedApi(getSiteUrl());
  const account = privateKeyToAccount(readDemoWalletKey());
  const pay = wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(account) }],
  });
  const mismatches: string[] = [];
  const check = async (operation: PublishedOperation, response: Response): Promise<number> => {
    const type = response.headers.get('content-type') ?? '';
    const body: unknown = await response.json();
    const problems = findMismatches(operation, { status: response.status, type, body });
    mismatches.push(...problems.map((text) => `${operation.operationId} ${response.status}: ${text}`));
    return response.status;
  };
  const statuses = new Map<string, number[]>();
  // The document lists `cancelWatch` last, so one watch suffices for all operations.
  const watch = await buyWatch();
  for (const operation of operations) {
    const [url, init] = createRequest(operation, watch);
    const received = [await check(operation, await pay(url, init))];
    if (operation.responses['402'] !== undefined) {
      received.push(await check(operation, await fetch(url, init)));
      received.push(await check(operation, await pay(url, { ...init, body: '{"resource":1}' })));
      received.push(
        await check(operation, await fetch(url, { ...init, headers: { 'payment-signature': '%' } })),
      );
    }
    if (operation.responses['401'] !== undefined)
      received.push(await check(operation, await fetch(url, { ...init, headers: {} })));
    statuses.set(operation.operationId, received);
  }
  expect(mismatches).toEqual([]);
  expect(operations.length).toBeGreaterThanOrEqual(17);
  for (const [id, [first]] of statuses) expect([id, first]).toEqual([id, REFUSED[id] ?? 200]);
  for (const id of ['getTrustReport', 'searchEndpoints', 'findAlternatives', 'createWatch'])
    expect([id, statuses.get(id)]).toEqual([id, [200, 402, 400, 400]]);
  for (const size of [10, 50, 100, 200, 500])
    expect([size, statuses.get(`getTrustBulk${size}`)]).toEqual([size, [200, 402, 400, 400]]);
  // A renewal has no request body, so the service ignores a body that is sent.
  expect(statuses.get('renewWatch')).toEqual([200, 402, 200, 400]);
  for (const id of ['readWatchEvents', 'getWatch', 'editWatch', 'cancelWatch'])
    expect([id, statuses.get(id)]).toEqual([id, [200, 401]]);
});

/** Reads the example of an operation in a language from the API reference. */
async function readExample(id: string, language: string): Promise<string> {
  const html = await (await request('/docs')).text();
  const section = html.slice(html.indexOf(`id="${id}"`));
  const example = new RegExp(`<pre[^>]* aria-label="[^"]* in ${language}"[^>]*>(.*?)</pre>`, 's').exec(
    section,
  );
  return decode((example?.[1] ?? '').replaceAll(/<[^>]*>/g, ''));
}

it.each([
  ['getTrustReport', { schemaType: 'x402-trust' }],
  ['getHistory', { days: 30 }],
  ['searchEndpoints', { query: 'weather forecast for a city' }],
  ['findAlternatives', { alternatives: expect.any(Array) as unknown }],
  ['getTrustBulk10', { schemaType: 'x402-trust-bulk' }],
  ['createWatch', { secret: expect.stringMatching(/^wsk_/) as unknown }],
])('the examples of %s work unchanged', async (id, expected) => {
  // The program runs in a folder below this package, so that Node finds the packages that it imports.
  const folder = mkdtempSync(fileURLToPath(new URL('../example-', import.meta.url)));
  try {
    const file = join(folder, 'example.ts');
    writeFileSync(file, await readExample(id, 'TypeScript'));
    const env = { ...process.env, PRIVATE_KEY: readDemoWalletKey() };
    const { stdout } = await run(process.execPath, [file], { env });
    expect(JSON.parse(stdout)).toMatchObject(expected);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const curl = (await readExample(id, 'curl')).replace('curl ', 'curl -sS ');
  const { stdout: challenge } = await run('sh', ['-c', curl]);
  expect(challenge).toMatch(/^HTTP\/1\.1 402 /);
  expect(challenge.toLowerCase()).toContain('payment-required: ');
});
