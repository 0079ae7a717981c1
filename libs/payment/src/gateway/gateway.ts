import { PAYMENT_VALIDITY_SECONDS } from '@touchstone/contract';
import { x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server';
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { bazaarResourceServerExtension } from '@x402/extensions/bazaar';
import { isAddress } from 'viem';
import { withPurchaseSecret } from '../request/purchase-secret.ts';
import { readAuthorization } from '../request/read-payment.ts';
import type { SellerOptions } from '../types.ts';
import { findRefusalReason } from './check-authorization.ts';
import { guardFacilitator } from './guard-facilitator.ts';
import { findToken, openRoutes, toBaseUrl, type OperationTarget } from './open-routes.ts';

export type { OperationTarget } from './open-routes.ts';

/** The facilitator's response to a settlement. `receipt` is a PAYMENT-RESPONSE header. */
export type GatewaySettlement =
  | { readonly kind: 'settled'; readonly transaction: string; readonly receipt: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly receipt: string }
  /** The transaction was sent to the chain and is not confirmed yet. */
  | { readonly kind: 'pending'; readonly reason: string };

/** Payment terms that a payment fulfils, or the reason of its refusal. */
type TermsCheck = { readonly terms: PaymentRequirements } | { readonly refused: string };

/** Connection to the x402 SDK and the facilitator: creates challenges, verifies payments and settles them. */
export interface Gateway {
  /** Address of the USDC contract, in lower case. */
  readonly asset: `0x${string}`;
  readonly network: `${string}:${string}`;
  /** Public origin of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** Returns the payment terms of an operation. */
  readonly getTerms: (target: OperationTarget) => Promise<PaymentRequirements>;
  /** Creates the challenge of an operation. `error` is the reason why a payment was refused. */
  readonly createChallenge: (target: OperationTarget, error?: string) => Promise<PaymentRequired>;
  /**
   * Checks the terms, the extensions, the amount, the recipient and the validity of a payment, without its signature and
   * without the facilitator.
   */
  readonly checkTerms: (target: OperationTarget, payload: PaymentPayload) => Promise<TermsCheck>;
  /**
   * Verifies a payment with the facilitator. The caller has checked the terms.
   * @returns the reason of a refusal; null if the payment is valid
   * @throws FacilitatorError when the facilitator sent no usable response
   */
  readonly verify: (payload: PaymentPayload, terms: PaymentRequirements) => Promise<string | null>;
  /**
   * Settles a verified payment with the facilitator.
   * @throws FacilitatorError when the facilitator sent no usable response; money may have moved
   */
  readonly settle: (payload: PaymentPayload, terms: PaymentRequirements) => Promise<GatewaySettlement>;
}

type GatewayOptions = Pick<
  SellerOptions,
  'facilitator' | 'network' | 'payTo' | 'baseUrl' | 'now' | 'maxTimeoutSeconds' | 'minValiditySeconds'
>;

/** Creates the check of the authorization of a payment, which returns the reason of a refusal. */
const openAuthorizationCheck = (options: GatewayOptions) => {
  const { maxTimeoutSeconds = PAYMENT_VALIDITY_SECONDS, minValiditySeconds = 60 } = options;
  if (maxTimeoutSeconds <= minValiditySeconds) {
    throw new Error('maxTimeoutSeconds must exceed minValiditySeconds, or every payment expires too early');
  }
  return (payload: PaymentPayload, terms: PaymentRequirements): string | null =>
    findRefusalReason(readAuthorization(payload), terms, {
      now: options.now(),
      minValiditySeconds,
      maxTimeoutSeconds,
    });
};

/** Creates the check of a payment against the challenge of its operation. */
const openTermsCheck = (server: x402ResourceServer, options: GatewayOptions) => {
  const checkAuthorization = openAuthorizationCheck(options);
  return (challenge: PaymentRequired, payload: PaymentPayload): TermsCheck => {
    const terms = server.findMatchingRequirements(challenge.accepts, payload);
    if (terms === undefined) return { refused: 'No matching payment requirements' };
    const echo = server.validateExtensions(challenge, payload);
    if (!echo.valid) return { refused: echo.invalidReason };
    const reason = checkAuthorization(payload, terms);
    return reason === null ? { terms } : { refused: reason };
  };
};

/**
 * Opens the gateway. The facilitator gets no request before the first payment.
 * @throws Error when the network has no suitable USDC, or `payTo` is not an address
 */
export const openGateway = (options: GatewayOptions): Gateway => {
  const { asset, network } = findToken(options.network);
  const server = new x402ResourceServer(guardFacilitator(options.facilitator, network))
    .register(network, new ExactEvmScheme())
    .registerExtension(bazaarResourceServerExtension);
  const checkTerms = openTermsCheck(server, options);
  if (!isAddress(options.payTo)) throw new Error('payTo: not an address of the network');
  const getChallenge = openRoutes(server, options);
  // A settlement does not depend on a route, so this server needs no routes.
  const settler = new x402HTTPResourceServer(server, {});
  return {
    asset: asset.toLowerCase() as `0x${string}`,
    network,
    baseUrl: toBaseUrl(options),
    getTerms: async (target) => {
      const [terms] = (await getChallenge(target)).accepts;
      if (terms === undefined) throw new Error('the challenge of a paid operation has no payment terms');
      return terms;
    },
    createChallenge: async (target, error) => {
      const challenge = withPurchaseSecret(await getChallenge(target));
      return error === undefined ? challenge : { ...challenge, error };
    },
    checkTerms: async (target, payload) => checkTerms(await getChallenge(target), payload),
    verify: async (payload, terms) => {
      const { isValid, invalidReason } = await server.verifyPayment(payload, terms);
      return isValid ? null : (invalidReason ?? 'invalid_payment');
    },
    settle: async (payload, terms) => {
      const settlement = await settler.processSettlement(payload, terms);
      const receipt = settlement.headers['PAYMENT-RESPONSE'] ?? '';
      const { transaction } = settlement;
      if (settlement.success) return { kind: 'settled', transaction, receipt };
      const { errorReason: reason } = settlement;
      return transaction === '' ? { kind: 'refused', reason, receipt } : { kind: 'pending', reason };
    },
  };
};
