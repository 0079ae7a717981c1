import { PAYMENT_VALIDITY_SECONDS } from '@touchstone/contract';
import { x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { bazaarResourceServerExtension } from '@x402/extensions/bazaar';
import { isAddress } from 'viem';
import { withPurchaseSecret } from '../request/purchase-secret.ts';
import { readAuthorization, type Authorization } from '../request/read-payment.ts';
import type { SellerOptions } from '../types.ts';
import { guardFacilitator } from './guard-facilitator.ts';
import { findToken, openChallenges, type Challenge, type OperationTarget } from './challenges.ts';

/** The facilitator's response to a settlement. `receipt` is a PAYMENT-RESPONSE header. */
export type GatewaySettlement =
  | { readonly kind: 'settled'; readonly transaction: string; readonly receipt: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly receipt: string }
  /** The transaction was sent to the chain and is not confirmed yet. */
  | { readonly kind: 'pending'; readonly reason: string };

type GatewayOptions = Pick<
  SellerOptions,
  'facilitator' | 'network' | 'payTo' | 'baseUrl' | 'now' | 'maxTimeoutSeconds'
>;

/**
 * Maximum time by which a payer's clock may exceed our clock, in seconds. The standard x402 clients allow the same
 * difference.
 */
const CLOCK_MARGIN_SECONDS = 600;

/** Minimum remaining validity of a new payment, in seconds. Work and settlement must finish within this time. */
const MIN_VALIDITY_SECONDS = 60;

/**
 * Checks an authorization against the payment terms. The check runs before the facilitator is called, because a
 * facilitator could accept an invalid authorization. An authorization that expires during the work is refused. An
 * authorization that is valid for much longer than `maxTimeoutSeconds` is refused too, because its payment could be
 * settled after the database row of the payment was deleted.
 * @returns the reason of a refusal as a code of x402's exact scheme; null without a refusal
 */
function findAuthorizationRefusal(
  { amount, payTo, validAfter, validBefore }: Authorization,
  terms: PaymentRequirements,
  { now, maxTimeoutSeconds = PAYMENT_VALIDITY_SECONDS }: GatewayOptions,
): string | null {
  const seconds = BigInt(Math.floor(now() / 1_000));
  if (payTo !== terms.payTo.toLowerCase()) return 'invalid_exact_evm_recipient_mismatch';
  if (amount !== BigInt(terms.amount)) return 'invalid_exact_evm_authorization_value';
  if (validAfter > seconds) return 'invalid_exact_evm_payload_authorization_valid_after';
  const latest = seconds + BigInt(maxTimeoutSeconds + CLOCK_MARGIN_SECONDS);
  const isInTime = validBefore >= seconds + BigInt(MIN_VALIDITY_SECONDS) && validBefore <= latest;
  return isInTime ? null : 'invalid_exact_evm_payload_authorization_valid_before';
}

/**
 * Opens the gateway to the x402 SDK and the facilitator. The gateway creates challenges, verifies payments and settles
 * payments. The facilitator gets no request before the first payment.
 * @throws Error when the network has no suitable USDC, or `payTo` is not an address
 */
export function openGateway(options: GatewayOptions) {
  const { asset, network } = findToken(options.network);
  if (!isAddress(options.payTo)) throw new Error('payTo: not an address of the network');
  const server = new x402ResourceServer(guardFacilitator(options.facilitator, network))
    .register(network, new ExactEvmScheme())
    .registerExtension(bazaarResourceServerExtension);
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const getChallenge = openChallenges(options, baseUrl);
  return {
    ...openFacilitatorCalls(server),
    /** Address of the USDC contract, in lower case. */
    asset: asset.toLowerCase() as `0x${string}`,
    network,
    /** Public origin of the service, without a trailing slash. */
    baseUrl,
    getTerms: (target: OperationTarget): PaymentRequirements => {
      const [terms] = getChallenge(target).v2.accepts;
      if (terms === undefined) throw new Error('the challenge of a paid operation has no payment terms');
      return terms;
    },
    /** Creates the challenge of an operation. `error` is the reason why a payment was refused. */
    createChallenge: (target: OperationTarget, error?: string): Challenge => {
      const { v1, v2 } = getChallenge(target);
      const reason = error === undefined ? {} : { error };
      return {
        v2: { ...withPurchaseSecret(v2), ...reason },
        v1: v1 === null ? null : { ...v1, ...reason },
      };
    },
    /**
     * Checks the terms, the extensions, the amount, the recipient and the validity of a payment, without its signature
     * and without the facilitator.
     * @returns the reason of a refusal; null if the payment fulfils the terms
     */
    findRefusalReason: (target: OperationTarget, payload: PaymentPayload): string | null => {
      const challenge = getChallenge(target).v2;
      const terms = server.findMatchingRequirements(challenge.accepts, payload);
      if (terms === undefined) return 'No matching payment requirements';
      const echo = server.validateExtensions(challenge, payload);
      if (!echo.valid) return echo.invalidReason;
      const authorization = readAuthorization(payload);
      return authorization === null
        ? 'invalid_payload'
        : findAuthorizationRefusal(authorization, terms, options);
    },
  };
}

function openFacilitatorCalls(server: x402ResourceServer) {
  // A settlement does not depend on a route, so the HTTP server of the SDK gets no routes.
  const settler = new x402HTTPResourceServer(server, {});
  // The initialization sends no request to the facilitator, because `guardFacilitator` knows the supported payment kinds.
  let initializing: Promise<void> | undefined;
  const initialize = (): Promise<void> => (initializing ??= server.initialize());
  return {
    /**
     * Verifies a payment with the facilitator. The caller has checked the terms.
     * @returns the reason of a refusal; null if the payment is valid
     * @throws FacilitatorError when the facilitator sent no usable response
     */
    verify: async (payload: PaymentPayload, terms: PaymentRequirements): Promise<string | null> => {
      await initialize();
      const { isValid, invalidReason } = await server.verifyPayment(payload, terms);
      return isValid ? null : (invalidReason ?? 'invalid_payment');
    },
    /**
     * Settles a verified payment with the facilitator.
     * @throws FacilitatorError when the facilitator sent no usable response; money may have moved
     */
    settle: async (payload: PaymentPayload, terms: PaymentRequirements): Promise<GatewaySettlement> => {
      await initialize();
      const settlement = await settler.processSettlement(payload, terms);
      const receipt = settlement.headers['PAYMENT-RESPONSE'] ?? '';
      const { transaction } = settlement;
      if (settlement.success) return { kind: 'settled', transaction, receipt };
      const { errorReason: reason } = settlement;
      return transaction === '' ? { kind: 'refused', reason, receipt } : { kind: 'pending', reason };
    },
  };
}
