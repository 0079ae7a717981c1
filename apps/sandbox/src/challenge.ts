import { bazaarExtension, outputSchemaV1 } from './bazaar.ts';
import type { JsonObject } from './json.ts';
import { offersOf } from './offer.ts';
import type { OfferContext } from './offer.ts';

export interface ChallengeContext extends OfferContext {
  /** The URL that was asked for, without its query: an item's own URL where the path is a template. */
  readonly resourceUrl: string;
}

/** One entry of a v2 `accepts` list for each offer (x402 v2 specification 5.1.2). */
export const acceptsV2 = (context: OfferContext): JsonObject[] =>
  offersOf(context).map((offer) => ({
    scheme: 'exact',
    network: offer.network,
    amount: String(offer.amount),
    asset: offer.asset,
    payTo: offer.payTo,
    maxTimeoutSeconds: context.endpoint.timeoutSeconds,
    extra: offer.extra,
  }));

/** One entry of a v1 `accepts` list for each offer (x402 v1 specification 5.1). */
export const acceptsV1 = (context: ChallengeContext): JsonObject[] =>
  offersOf(context).map((offer) => ({
    scheme: 'exact',
    network: offer.v1Network ?? offer.network,
    maxAmountRequired: String(offer.amount),
    resource: context.resourceUrl,
    description: context.state.description,
    mimeType: context.endpoint.mimeType,
    payTo: offer.payTo,
    maxTimeoutSeconds: context.endpoint.timeoutSeconds,
    asset: offer.asset,
    ...(context.endpoint.discovery ? { outputSchema: outputSchemaV1(context.endpoint) } : {}),
    extra: offer.extra,
  }));

/** The envelope of a v2 challenge, PaymentRequired (x402 v2 specification 5.1). */
export const challengeV2 = (context: ChallengeContext): JsonObject => ({
  x402Version: 2,
  error: 'Payment required',
  resource: {
    url: context.resourceUrl,
    description: context.state.description,
    mimeType: context.endpoint.mimeType,
    serviceName: context.endpoint.service,
    tags: context.endpoint.tags,
  },
  accepts: acceptsV2(context),
  ...(context.endpoint.discovery ? { extensions: { bazaar: bazaarExtension(context.endpoint) } } : {}),
});

/** The body of a v1 challenge (x402 v1 specification 5.1). */
export const challengeV1 = (context: ChallengeContext): JsonObject => ({
  x402Version: 1,
  error: 'X-PAYMENT header is required',
  accepts: acceptsV1(context),
});
