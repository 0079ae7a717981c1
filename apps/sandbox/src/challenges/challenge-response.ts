import {
  createJsonResponse,
  createTextResponse,
  createPaywallResponse,
  type HttpResponse,
} from '../http/responses.ts';
import { isJsonList, isJsonObject, type JsonObject } from '../parsing.ts';
import type { Behaviour } from '../scenario/scenario-schema.ts';
import { createChallengeV1, createChallengeV2, type ChallengeContext } from './challenge.ts';

type FieldFault = Extract<Behaviour, { kind: 'missing-field' }>['fault'];

/** Names of the members that each fault removes from the `accepts` entries. The names are those of x402 v1 and v2. */
const REMOVED_MEMBERS: Readonly<
  Record<'no-pay-to' | 'no-amount' | 'no-mime-type' | 'no-extra', readonly string[]>
> = {
  'no-pay-to': ['payTo'],
  'no-amount': ['amount', 'maxAmountRequired'],
  'no-mime-type': ['mimeType'],
  'no-extra': ['extra'],
};

function omit(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function withNumericAmount(offer: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(offer).map(([name, value]) =>
      name === 'amount' || name === 'maxAmountRequired' ? [name, Number(value)] : [name, value],
    ),
  );
}

function mapOffers(challenge: JsonObject, change: (offer: JsonObject) => JsonObject): JsonObject {
  const accepts = challenge['accepts'];
  if (accepts === undefined || !isJsonList(accepts)) return challenge;
  return { ...challenge, accepts: accepts.map((offer) => (isJsonObject(offer) ? change(offer) : offer)) };
}

export function injectFault(challenge: JsonObject, fault: FieldFault): JsonObject {
  switch (fault) {
    case 'no-accepts':
      return { ...challenge, accepts: [] };
    case 'no-resource':
      return omit(challenge, ['resource']);
    case 'amount-number':
      return mapOffers(challenge, withNumericAmount);
    default:
      return mapOffers(challenge, (offer) => omit(offer, REMOVED_MEMBERS[fault]));
  }
}

/**
 * Number of table columns that the output schema describes. With 190 columns, the challenge header has about 40 KiB,
 * which exceeds Node's default limit of 16 KiB for all headers.
 */
const COLUMN_COUNT = 190;

function createColumn(index: number): readonly [string, JsonObject] {
  return [
    `metric_${String(index).padStart(3, '0')}`,
    {
      type: 'object',
      description: `Value, unit and revision of column ${index} of the statistical table.`,
      properties: { value: { type: 'number' }, unit: { type: 'string' } },
    },
  ];
}

/** Adds a very long output schema, of a table with many columns, to a v2 challenge. The challenge stays valid. */
function addOversizedSchema(challenge: JsonObject): JsonObject {
  const columns = Object.fromEntries(Array.from({ length: COLUMN_COUNT }, (_, index) => createColumn(index)));
  return {
    ...challenge,
    extensions: {
      bazaar: {
        info: { input: { type: 'http', method: 'GET', queryParams: {} }, output: { type: 'json' } },
        schema: {
          type: 'object',
          properties: {
            input: { type: 'object' },
            output: { type: 'object', properties: { example: { type: 'object', properties: columns } } },
          },
          required: ['input'],
        },
      },
    },
  };
}

type Malformation = Extract<Behaviour, { kind: 'malformed' }>['fault'];

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

/**
 * Creates a 402 response with an encoded challenge in the header `PAYMENT-REQUIRED` (x402 v2). The response has
 * `Cache-Control: no-store`, like responses of the reference server.
 */
function createHeaderResponse(
  value: string,
  { name = 'PAYMENT-REQUIRED', body = {} }: { name?: string; body?: JsonObject } = {},
): HttpResponse {
  return createJsonResponse(402, body, [name, value, 'Cache-Control', 'no-store']);
}

function createMalformedResponse(context: ChallengeContext, fault: Malformation): HttpResponse {
  const challenge = createChallengeV2(context);
  const text = JSON.stringify(challenge);
  switch (fault) {
    case 'bad-base64':
      return createHeaderResponse(encode(challenge).replaceAll(/(.{60})/g, '$1*'));
    case 'base64url':
      return createHeaderResponse(Buffer.from(text).toString('base64url'));
    case 'truncated-json':
      return createHeaderResponse(
        Buffer.from(text.slice(0, Math.floor(text.length * 0.6))).toString('base64'),
      );
    case 'html-402':
      return createPaywallResponse(context.endpoint);
  }
}

function createForProtocol(
  context: ChallengeContext,
  change: (challenge: JsonObject) => JsonObject,
): HttpResponse {
  switch (context.endpoint.protocol) {
    case 'v1':
      return createJsonResponse(402, change(createChallengeV1(context)));
    case 'v2':
      return createHeaderResponse(encode(change(createChallengeV2(context))));
    case 'dual':
      return createHeaderResponse(encode(change(createChallengeV2(context))), {
        body: change(createChallengeV1(context)),
      });
  }
}

/**
 * Creates the 402 response to an unpaid request. If the behaviour of the endpoint defines a fault, the challenge has
 * this fault.
 */
export function createChallengeResponse(context: ChallengeContext): HttpResponse {
  const { behaviour } = context.state;
  switch (behaviour.kind) {
    case 'malformed':
      return createMalformedResponse(context, behaviour.fault);
    case 'missing-field':
      return createForProtocol(context, (challenge) => injectFault(challenge, behaviour.fault));
    case 'oversized-header':
      return createForProtocol(context, addOversizedSchema);
    case 'body-only':
      return createTextResponse(402, {
        type: 'application/json',
        text: JSON.stringify(createChallengeV2(context)),
      });
    case 'renamed-header':
      return createHeaderResponse(encode(createChallengeV2(context)), { name: 'X-Payment-Required' });
    default:
      return createForProtocol(context, (challenge) => challenge);
  }
}
