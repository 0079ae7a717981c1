import type { JsonObject } from '../parsing/json.ts';
import { createBazaarExtension, createOutputSchemaV1 } from './bazaar-extension.ts';
import { createOffers, type OfferContext } from './offer.ts';

export interface ChallengeContext extends OfferContext {
  /** Requested URL without the query. For an endpoint with a path template, this is the URL of the requested item. */
  readonly resourceUrl: string;
}

/** Creates the `accepts` list of a v2 challenge, with one entry per offer (x402 v2 specification 5.1.2). */
export function createAcceptsV2(context: OfferContext): JsonObject[] {
  return createOffers(context).map((offer) => ({
    scheme: 'exact',
    network: offer.network,
    amount: String(offer.amount),
    asset: offer.asset,
    payTo: offer.payTo,
    maxTimeoutSeconds: context.endpoint.timeoutSeconds,
    extra: offer.extra,
  }));
}

/** Creates the `accepts` list of a v1 challenge, with one entry per offer (x402 v1 specification 5.1). */
export function createAcceptsV1(context: ChallengeContext): JsonObject[] {
  return createOffers(context).map((offer) => ({
    scheme: 'exact',
    network: offer.v1Network ?? offer.network,
    maxAmountRequired: String(offer.amount),
    resource: context.resourceUrl,
    description: context.state.description,
    mimeType: context.endpoint.mimeType,
    payTo: offer.payTo,
    maxTimeoutSeconds: context.endpoint.timeoutSeconds,
    asset: offer.asset,
    ...(context.endpoint.discovery ? { outputSchema: createOutputSchemaV1(context.endpoint) } : {}),
    extra: offer.extra,
  }));
}

/** Creates a v2 challenge, the object `PaymentRequired` (x402 v2 specification 5.1). */
export function createChallengeV2(context: ChallengeContext): JsonObject {
  return {
    x402Version: 2,
    error: 'Payment required',
    resource: {
      url: context.resourceUrl,
      description: context.state.description,
      mimeType: context.endpoint.mimeType,
      serviceName: context.endpoint.service,
      tags: context.endpoint.tags,
    },
    accepts: createAcceptsV2(context),
    ...(context.endpoint.discovery
      ? { extensions: { bazaar: createBazaarExtension(context.endpoint) } }
      : {}),
  };
}

/** Creates a v1 challenge, the JSON body of the 402 response (x402 v1 specification 5.1). */
export function createChallengeV1(context: ChallengeContext): JsonObject {
  return {
    x402Version: 1,
    error: 'X-PAYMENT header is required',
    accepts: createAcceptsV1(context),
  };
}
