import { PAYMENT_REQUIRED_EXAMPLE } from '../examples/payment-required.ts';
import { partialSchema, type JsonSchema } from '../json-schema.ts';
import type { Operation, PathParameter } from '../operation.ts';
import { PROBLEMS_OF_EVERY_PATH } from '../problem.ts';
import { schemaRef } from './component-schemas.ts';
import { headerRefs } from './headers.ts';
import { problemResponses } from './problem-responses.ts';

/** The name of the security scheme that stands for a payment. */
export const PAYMENT = 'payment';

/**
 * One operation as an Operation Object (OpenAPI 3.1.0, section 4.8.10).
 *
 * @param network CAIP-2 id of the network that paid operations are paid on; null where nothing is sold at present
 */
export function operationObject(operation: Operation, network: string | null): JsonSchema {
  const { id, summary, description, tags, parameters, requestBody, priceUsd, problems } = operation;
  return {
    operationId: id,
    summary,
    description,
    tags,
    security: priceUsd === null ? [] : [{ [PAYMENT]: [] }],
    ...(priceUsd === null || network === null ? {} : { 'x-payment-info': paymentInfo(priceUsd, network) }),
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterObject) }),
    ...(requestBody === null ? {} : { requestBody: requestBodyObject(requestBody) }),
    responses: {
      200: answer(operation),
      ...(operation.isDocument ? { 304: UNCHANGED } : {}),
      ...(priceUsd === null ? {} : { 402: CHALLENGE }),
      ...problemResponses([...problems, ...PROBLEMS_OF_EVERY_PATH], priceUsd !== null),
    },
  };
}

/** The price as directories read it: US dollars as a string with six decimals. */
function paymentInfo(amount: string, network: string): JsonSchema {
  return {
    price: { mode: 'fixed', currency: 'USD', amount },
    protocols: [{ x402: { version: 2, scheme: 'exact', network, asset: 'USDC' } }],
  };
}

function parameterObject({ name, description, schema, example }: PathParameter): JsonSchema {
  return { name, in: 'path', required: true, description, schema: partialSchema(schema, 'input'), example };
}

function requestBodyObject({
  required,
  schemaName,
  example,
}: NonNullable<Operation['requestBody']>): JsonSchema {
  return {
    description: required ? 'Required, at most 64 KiB.' : 'May be left out; nothing in it is read.',
    required,
    content: { 'application/json': { schema: schemaRef(schemaName), example } },
  };
}

function answer({ priceUsd, response, hasPage, isDocument }: Operation): JsonSchema {
  const { schema, schemaName, example } = response;
  const json = {
    schema: schemaName === null ? partialSchema(schema, 'output') : schemaRef(schemaName),
    example,
  };
  return {
    description: priceUsd === null ? 'The answer.' : 'The answer, once the payment is settled.',
    ...(priceUsd === null ? {} : { headers: headerRefs(['PAYMENT-RESPONSE']) }),
    ...(isDocument ? { headers: headerRefs(['ETag']) } : {}),
    content: {
      'application/json': json,
      ...(hasPage ? { 'text/html': { schema: { type: 'string', description: 'The same as a page.' } } } : {}),
    },
  };
}

const UNCHANGED: JsonSchema = {
  description: 'It is what `If-None-Match` names, so it is not sent again.',
  headers: headerRefs(['ETag']),
};

const CHALLENGE: JsonSchema = {
  description:
    'There is no payment, or it was refused, for the reason in `error`. The challenge says how to pay. A settlement that failed has its receipt too.',
  headers: headerRefs(['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE']),
  content: {
    'application/json': { schema: schemaRef('payment-required'), example: PAYMENT_REQUIRED_EXAMPLE },
  },
};
