import type { JsonObject } from '../parsing.ts';
import type { EndpointDefinition, Token } from '../scenario/scenario-schema.ts';
import { deriveWalletAddress } from '../scenario/seeded-values.ts';
import type { EndpointState } from '../scenario/timeline.ts';
import { createBazaarExtension, createOutputSchemaV1 } from './bazaar-extension.ts';

/**
 * Converts a price in US dollars to atomic units of a token that is worth one dollar.
 * @param priceUsd decimal string, such as "0.0025"
 * @param decimals number of decimals of the token; further decimals of the price are cut off
 */
export function toAtomicAmount(priceUsd: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = priceUsd.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals));
}

/**
 * Scheme, network, token, amount and receiver of a payment that an endpoint accepts. The values are the same for x402 v1 and
 * v2.
 */
interface Offer {
  readonly scheme: 'exact' | 'upto';
  readonly network: string;
  readonly v1Network: string | null;
  readonly asset: string;
  readonly amount: bigint;
  readonly payTo: string;
  readonly extra: JsonObject;
}

export interface ChallengeContext {
  readonly seed: string;
  readonly tokens: Readonly<Record<string, Token>>;
  readonly endpoint: EndpointDefinition;
  readonly state: EndpointState;
  /** Price of the requested item as a multiple of the endpoint's price; 1 for an endpoint without a path template. */
  readonly priceFactor: number;
  /** Requested URL without the query. For an endpoint with a path template, this is the URL of the requested item. */
  readonly resourceUrl: string;
}

/**
 * Creates the member `extra` of an offer: the EIP-712 domain of an EVM token, or the fee payer's account on Solana
 * (x402 exact scheme, EVM and SVM).
 */
function createExtra(token: Token, seed: string): JsonObject {
  return token.domain
    ? { ...token.domain }
    : { feePayer: deriveWalletAddress(seed, 'fee-payer', token.network) };
}

/**
 * Changes an offer as the behaviour of the endpoint defines: a wrong token address, a wrong EIP-712 name, or the scheme
 * `upto`, whose amount is a maximum (x402 upto scheme, EVM).
 */
function applyBehaviour(offer: Offer, { seed, endpoint, state }: ChallengeContext): Offer {
  if (state.behaviour.kind === 'fake-usdc')
    return { ...offer, asset: deriveWalletAddress(seed, `token of ${endpoint.name}`, offer.network) };
  if (state.behaviour.kind === 'wrong-domain')
    return { ...offer, extra: { ...offer.extra, name: state.behaviour.name } };
  if (state.behaviour.kind === 'upto') {
    const facilitatorAddress = deriveWalletAddress(seed, 'upto facilitator', offer.network);
    return { ...offer, scheme: 'upto', extra: { ...offer.extra, facilitatorAddress } };
  }
  return offer;
}

/** Creates one offer for each token that the endpoint accepts in the current state of its timeline. */
function createOffers(context: ChallengeContext): Offer[] {
  const { seed, state, tokens } = context;
  const factor = BigInt(Math.round(context.priceFactor * 1_000));
  return state.tokens.flatMap((name) => {
    const token = tokens[name];
    if (!token) return [];
    const offer: Offer = {
      scheme: 'exact',
      network: token.network,
      v1Network: token.v1Network ?? null,
      asset: token.asset,
      amount: (toAtomicAmount(state.priceUsd, token.decimals) * factor) / 1_000n,
      payTo: deriveWalletAddress(seed, state.wallet, token.network),
      extra: createExtra(token, seed),
    };
    return [applyBehaviour(offer, context)];
  });
}

/** Creates the `accepts` list of a v2 challenge, with one entry per offer (x402 v2 specification 5.1.2). */
export function createAcceptsV2(context: ChallengeContext): JsonObject[] {
  return createOffers(context).map((offer) => ({
    scheme: offer.scheme,
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
  return { x402Version: 1, error: 'X-PAYMENT header is required', accepts: createAcceptsV1(context) };
}
