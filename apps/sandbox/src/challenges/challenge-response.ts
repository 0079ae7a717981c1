import {
  createJsonResponse,
  createTextResponse,
  createPaywallResponse,
  type HttpResponse,
} from '../endpoints/responses.ts';
import type { JsonObject } from '../parsing.ts';
import type { Behaviour } from '../scenario/scenario-schema.ts';
import { createChallengeV1, createChallengeV2, type ChallengeContext } from './challenge.ts';
import { injectFault, addOversizedSchema } from './faulty-challenge.ts';

type Malformation = Extract<Behaviour, { kind: 'malformed' }>['fault'];

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

/**
 * Creates a 402 response with an encoded challenge in the header `PAYMENT-REQUIRED` (x402 v2). Like the reference
 * server, it sets `Cache-Control: no-store`.
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
 * Creates the 402 response to an unpaid request. The challenge has the fault, if any, that the endpoint's behaviour
 * defines.
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
