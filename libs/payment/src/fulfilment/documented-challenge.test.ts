import {
  createChallenge,
  createOpenApiDocument,
  MAX_HEADERS_BYTES,
  MAX_SIGNATURE_BYTES,
  OPERATIONS,
  PAYMENT_VALIDITY_SECONDS,
  PURCHASE_EXTENSION,
  toExamplePath,
  type DescribedOperation,
} from '@touchstone/contract';
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import { x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server';
import type { PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import {
  bazaarResourceServerExtension,
  extractDiscoveryInfoV1,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
  type DiscoveryExtension,
} from '@x402/extensions/bazaar';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findToken } from '../gateway/challenges.ts';
import { guardFacilitator } from '../gateway/guard-facilitator.ts';
import { createFacilitator } from '../index.ts';
import { post, readChallengeHeader } from '../testing/buyer.ts';
import { BODY, useTestService } from '../testing/test-service.ts';

const service = useTestService();

const paid = OPERATIONS.filter(({ priceUsd }) => priceUsd !== null);
/** One paid operation of each shape: with and without a body, parameters in the path, and parameters in the query. */
const shapes = [
  ...new Map(
    paid.map((operation) => {
      const places = new Set(operation.parameters.map(({ in: place }) => place));
      return [`${operation.requestBody === null} ${[...places].join()}`, operation] as const;
    }),
  ).values(),
];
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
  return z
    .object({ accepts: z.array(z.looseObject({})) })
    .parse(responses[402].content['application/json'].example);
};

const inputSchema = z.object({
  properties: z.object({
    input: z.object({
      properties: z.object({ queryParams: z.object({ properties: z.looseObject({}) }).optional() }),
    }),
  }),
});

/** Maximum length of the header with a challenge, in characters. */
const MAX_CHALLENGE_CHARACTERS = 3_500;
/** Maximum length of the header with a payment, in bytes. It leaves 3 KiB to the other headers of the request. */
const MAX_PAYMENT_BYTES = MAX_HEADERS_BYTES - 3 * 1_024;

/** Creates a payment with the longest values that the seller reads. Its signature is not valid. */
const createLongPayment = (challenge: PaymentRequired, signatureBytes: number): string => {
  const [accepted] = challenge.accepts;
  if (accepted === undefined) throw new Error('the challenge has no payment terms');
  const longest = '9'.repeat(78);
  const authorization = {
    from: `0x${'1'.repeat(40)}`,
    to: accepted.payTo,
    value: longest,
    validAfter: longest,
    validBefore: longest,
    nonce: `0x${'2'.repeat(64)}`,
  };
  const payload = { signature: `0x${'5a'.repeat(signatureBytes)}`, authorization };
  const { resource, extensions } = challenge;
  return encodePaymentSignatureHeader({
    x402Version: 2,
    resource,
    accepted,
    payload,
    ...(extensions === undefined ? {} : { extensions }),
  });
};

const requestChallenge = async (path: string) => {
  const seller = await service.openSeller();
  const reply = await post(`${seller.url}${path}`, '{}');
  return { ...PaymentRequiredV2Schema.parse(readChallengeHeader(reply)), body: reply.body };
};

/** Returns the challenge that the server of the x402 SDK creates for a route with the data of an operation. */
const createWithSdk = async (operation: DescribedOperation, path: string): Promise<PaymentRequired> => {
  const origin = 'https://touchstone.example';
  const { method, path: template } = operation;
  const token = findToken('eip155:8453');
  const { network } = token;
  const terms = { ...token, payTo: service.payTo };
  const { accepts, resource, extensions } = createChallenge(operation, origin, terms);
  const [{ scheme, payTo, amount, asset, extra, maxTimeoutSeconds }] = accepts;
  const offer = { scheme, network, payTo, price: { asset, amount, extra }, maxTimeoutSeconds };
  const facilitator = guardFacilitator(createFacilitator({ url: 'http://127.0.0.1:1' }), network);
  const server = new x402ResourceServer(facilitator)
    .register(network, new ExactEvmScheme())
    .registerExtension(bazaarResourceServerExtension);
  const pattern = `${method} ${template.replaceAll(/\{([^}]+)\}/g, '[$1]')}`;
  const route = { ...resource, accepts: offer, extensions };
  const http = new x402HTTPResourceServer(server, { [pattern]: route });
  await http.initialize();
  const adapter = {
    getHeader: () => undefined,
    getMethod: () => method,
    getPath: () => path,
    getUrl: () => `${origin}${path}`,
    getAcceptHeader: () => 'application/json',
    getUserAgent: () => '',
  };
  const result = await http.processHTTPRequest({ adapter, path, method });
  if (result.type !== 'payment-error') throw new Error('the SDK did not recognize the route');
  return decodePaymentRequiredHeader(result.response.headers['PAYMENT-REQUIRED'] ?? '');
};

describe.each(shapes)('the challenge of $path', (operation) => {
  const { path, description, parameters, requestBody } = operation;
  const example = toExamplePath(operation);

  test('has the documented body of version 1, except for the recipient', async () => {
    const { body, resource, accepts } = await requestChallenge(example);
    const documented = findExample(path);
    expect(body).toEqual({
      x402Version: 1,
      error: 'Payment required',
      accepts: documented.accepts.map((terms) => ({ ...terms, payTo: service.payTo })),
    });
    expect(resource).toMatchObject({ url: `https://touchstone.example${example}`, description });
    expect(accepts).toMatchObject([{ maxTimeoutSeconds: PAYMENT_VALIDITY_SECONDS }]);
  });

  test('is the one that the x402 SDK creates, with a secret', async () => {
    const path = example.replace('w_', 'w_other');
    const { extensions, body: _, ...rest } = await requestChallenge(path);
    const { [PURCHASE_EXTENSION]: secret, ...others } = extensions ?? {};
    expect(secret).toMatchObject({ info: { id: expect.stringMatching(/^[\w-]{22,}$/) as string } });
    expect({ ...rest, extensions: others }).toEqual(await createWithSdk(operation, path));
  });

  test('has a body from which directories of version 1 read the request', async () => {
    const { body } = await requestChallenge(example);
    const [offer] = PaymentRequiredV1Schema.parse(body).accepts;
    // The type of the SDK describes only CAIP-2 ids, although version 1 has names of networks.
    const { input } = extractDiscoveryInfoV1(offer as Parameters<typeof extractDiscoveryInfoV1>[0]) ?? {};
    const fields = Object.keys(requestBody?.example ?? {});
    expect(input).toMatchObject({ type: 'http', method: 'POST', bodyType: 'json' });
    expect(Object.keys(input !== undefined && 'body' in input ? input.body : {})).toEqual(
      expect.arrayContaining(fields),
    );
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
    const queryParams = Object.fromEntries(query.map(({ name, description }) => [name, { description }]));
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

test('every challenge fits into the headers of a response, and its longest payment into those of a request', async () => {
  const seller = await service.openSeller();
  for (const operation of paid) {
    const reply = await post(`${seller.url}${toExamplePath(operation)}`, '{}');
    expect(reply.headers.get('payment-required')?.length).toBeLessThan(MAX_CHALLENGE_CHARACTERS);
    const payment = createLongPayment(readChallengeHeader(reply), MAX_SIGNATURE_BYTES);
    expect(payment.length).toBeLessThan(MAX_PAYMENT_BYTES);
  }
});

test('the seller reads the longest payment, and refuses a longer signature', async () => {
  const seller = await service.openSeller();
  const challenge = readChallengeHeader(await post(seller.trust, BODY));
  const payment = createLongPayment(challenge, MAX_SIGNATURE_BYTES);
  expect((await post(seller.trust, BODY, { payment })).status).toBe(402);
  const longer = createLongPayment(challenge, MAX_SIGNATURE_BYTES + 1);
  expect((await post(seller.trust, BODY, { payment: longer })).body).toMatchObject({
    code: 'invalid-payment',
    errors: [{ path: 'payload.signature' }],
  });
});
