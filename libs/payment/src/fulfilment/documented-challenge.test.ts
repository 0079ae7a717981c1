import {
  createOpenApiDocument,
  OPERATIONS,
  PAYMENT_VALIDITY_SECONDS,
  PURCHASE_EXTENSION,
  toExamplePath,
} from '@touchstone/contract';
import { PaymentRequiredV2Schema } from '@x402/core/schemas';
import {
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
  type DiscoveryExtension,
} from '@x402/extensions/bazaar';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { post } from '../testing/buyer.ts';
import { openTestService, PAY_TO, type TestService } from '../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterEach(() => service.reset());
afterAll(() => service.close());

const paid = OPERATIONS.filter(({ priceUsd }) => priceUsd !== null);
const document = z
  .object({ paths: z.record(z.string(), z.looseObject({})) })
  .parse(createOpenApiDocument('https://touchstone.example', { network: 'eip155:8453' }));
const responsesSchema = z.object({
  responses: z.object({
    402: z.object({ content: z.object({ 'application/json': z.object({ example: z.unknown() }) }) }),
  }),
});

/** Returns the example of the challenge in the OpenAPI document. */
const findExample = (path: string) => {
  const { responses } = responsesSchema.parse(document.paths[path]?.['post']);
  return PaymentRequiredV2Schema.parse(responses[402].content['application/json'].example);
};

const inputSchema = z.object({
  properties: z.object({
    input: z.object({
      properties: z.object({ queryParams: z.object({ properties: z.looseObject({}) }).optional() }),
    }),
  }),
});

/** Maximum size of the response headers that nginx accepts by default, in bytes. */
const MAX_HEADER_BYTES = 8_192;

const requestChallenge = async (path: string) => {
  const seller = await service.openSeller();
  return PaymentRequiredV2Schema.parse((await post(`${seller.url}${path}`, '{}')).body);
};

describe.each(paid)('the challenge of $path', (operation) => {
  const { path, description, parameters, requestBody } = operation;
  const example = toExamplePath(operation);

  test('is the documented one, except for the recipient and the secret', async () => {
    const { accepts, extensions, ...rest } = await requestChallenge(example);
    const { accepts: documentedAccepts, extensions: documentedExtensions, ...documented } = findExample(path);
    expect(rest).toEqual(documented);
    expect(rest.resource).toMatchObject({ url: `https://touchstone.example${example}`, description });
    expect(accepts).toEqual(documentedAccepts.map((terms) => ({ ...terms, payTo: PAY_TO })));
    expect(accepts).toMatchObject([{ maxTimeoutSeconds: PAYMENT_VALIDITY_SECONDS }]);
    const anySecret = { id: expect.stringMatching(/^[\w-]{22,}$/) as string };
    for (const all of [extensions, documentedExtensions]) {
      expect(all?.[PURCHASE_EXTENSION]).toMatchObject({ info: anySecret });
    }
    const withoutSecret = { [PURCHASE_EXTENSION]: { info: anySecret } };
    expect({ ...extensions, ...withoutSecret }).toEqual({ ...documentedExtensions, ...withoutSecret });
  });

  test('leaves 1 KB of the header limit of proxies to the other headers', async () => {
    const seller = await service.openSeller();
    const { headers } = await post(`${seller.url}${example}`, '{}');
    const header = headers.get('payment-required') ?? '';
    expect(header.length).toBeGreaterThan(1_000);
    expect(header.length).toBeLessThan(MAX_HEADER_BYTES - 1_024);
  });

  test('has a discovery extension that directories accept, with the parameters', async () => {
    const { extensions } = await requestChallenge(example);
    // The cast is checked by the two validations that follow.
    const bazaar = extensions?.['bazaar'] as DiscoveryExtension & Record<string, unknown>;
    expect(validateDiscoveryExtensionSpec(bazaar)).toMatchObject({ valid: true });
    expect(validateDiscoveryExtension(bazaar)).toMatchObject({ valid: true });
    expect(bazaar).toMatchObject({
      info: { input: { method: 'POST', bodyType: 'json', body: requestBody?.example ?? {} } },
      schema: { properties: { input: { properties: { body: { type: 'object' } } } } },
    });
    const query = parameters.filter(({ in: place }) => place === 'query');
    const queryParams = Object.fromEntries(query.map(({ name, example: value }) => [name, { const: value }]));
    const { properties } = inputSchema.parse(bazaar.schema).properties.input;
    expect(properties.queryParams?.properties ?? {}).toMatchObject(queryParams);
    expect(properties.queryParams === undefined).toBe(query.length === 0);
    const pathParams = parameters.filter(({ in: place }) => place === 'path');
    expect(bazaar['routeTemplate']).toBe(
      pathParams.length === 0 ? undefined : path.replaceAll(/\{(\w+)\}/g, ':$1'),
    );
    const { input } = bazaar.info;
    expect('pathParams' in input ? input.pathParams : {}).toEqual(
      Object.fromEntries(pathParams.map(({ name, example: value }) => [name, value])),
    );
    expect(bazaar.info.input).not.toHaveProperty('queryParams');
  });
});
