import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { readPublishedApi, type PublishedOperation } from '../support/published-schemas.ts';
import { readDemoWalletKey } from '../support/service-files.ts';
import { expect, test } from '../support/searchable-service.ts';

const RESOURCE = 'https://fxline.sandbox.test/v1/rates/latest';
const getSiteUrl = (): string => process.env['TOUCHSTONE_URL'] ?? '';

/**
 * Creates a request to an operation from the examples of the OpenAPI document. The example endpoint is replaced by an
 * endpoint of the catalog.
 */
function createRequest({
  method,
  path,
  parameters = [],
  requestBody,
}: PublishedOperation): readonly [string, RequestInit] {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(parameters.find((parameter) => parameter.name === name)?.example),
  );
  const example = requestBody?.content['application/json']?.example;
  const body =
    typeof example === 'object' && example !== null && 'resource' in example
      ? { ...example, resource: RESOURCE }
      : example;
  return [
    `${getSiteUrl()}${filled}`,
    {
      method: method.toUpperCase(),
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    },
  ];
}

test('every response matches the published document: paid, unpaid and invalid requests', async () => {
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
  for (const operation of operations) {
    const [url, init] = createRequest(operation);
    const received = [await check(operation, await pay(url, init))];
    if (operation.responses['402'] !== undefined) {
      received.push(await check(operation, await fetch(url, init)));
      received.push(await check(operation, await pay(url, { ...init, body: '{"resource":1}' })));
      received.push(
        await check(operation, await fetch(url, { ...init, headers: { 'payment-signature': '%' } })),
      );
    }
    statuses.set(operation.operationId, received);
  }
  expect(mismatches).toEqual([]);
  expect(operations.length).toBeGreaterThanOrEqual(11);
  for (const [id, [first]] of statuses) expect(`${id} ${first}`).toBe(`${id} 200`);
  for (const id of ['getTrustReport', 'searchEndpoints', 'findAlternatives'])
    expect([id, statuses.get(id)]).toEqual([id, [200, 402, 400, 400]]);
});
