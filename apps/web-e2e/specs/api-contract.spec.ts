import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { readPublished, type PublishedOperation } from '../support/published-schemas.ts';
import { visitorKey } from '../support/whereabouts.ts';
import { expect, test } from '../support/shared-service.ts';

const RESOURCE = 'https://fxline.sandbox.test/v1/rates/latest';
const siteUrl = (): string => process.env['TOUCHSTONE_URL'] ?? '';

/** The operation asked as its own examples say, about an endpoint that there is. */
function callOf({
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
    `${siteUrl()}${filled}`,
    {
      method: method.toUpperCase(),
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    },
  ];
}

test('every operation answers as the published document says, paid, unpaid and wrongly asked', async () => {
  const { operations, mismatches } = await readPublished(siteUrl());
  const account = privateKeyToAccount(visitorKey());
  const pay = wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(account) }],
  });
  const wrong: string[] = [];
  const check = async (operation: PublishedOperation, answer: Response): Promise<number> => {
    const type = answer.headers.get('content-type') ?? '';
    const body: unknown = await answer.json();
    const found = mismatches(operation, { status: answer.status, type, body });
    wrong.push(...found.map((text) => `${operation.operationId} ${answer.status}: ${text}`));
    return answer.status;
  };
  const statuses = new Map<string, number[]>();
  for (const operation of operations) {
    const [url, init] = callOf(operation);
    const seen = [await check(operation, await pay(url, init))];
    if (operation.responses['402'] !== undefined) {
      seen.push(await check(operation, await fetch(url, init)));
      seen.push(await check(operation, await pay(url, { ...init, body: '{"resource":1}' })));
      seen.push(await check(operation, await fetch(url, { ...init, headers: { 'payment-signature': '%' } })));
    }
    statuses.set(operation.operationId, seen);
  }
  expect(wrong).toEqual([]);
  expect(operations.length).toBeGreaterThanOrEqual(9);
  for (const [id, [first]] of statuses) expect(`${id} ${first}`).toBe(`${id} 200`);
  expect(statuses.get('getTrustReport')).toEqual([200, 402, 400, 400]);
});
