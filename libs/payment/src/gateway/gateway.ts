import { createChallenge, PAYMENT_VALIDITY_SECONDS } from '@touchstone/contract';
import { findCanonicalUsdc } from '@touchstone/x402';
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server';
import type { HTTPAdapter, HTTPProcessResult } from '@x402/core/server';
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { bazaarResourceServerExtension } from '@x402/extensions/bazaar';
import { getAddress, isAddress } from 'viem';
import { withPurchaseSecret } from '../request/purchase-secret.ts';
import { readAuthorization } from '../request/read-payment.ts';
import type { ContractOperation, SellerOptions } from '../types.ts';
import { findRefusalReason } from './check-authorization.ts';
import { guardFacilitator } from './guard-facilitator.ts';

/** A paid operation, and the path of one request for this operation. */
export interface OperationTarget {
  readonly operation: ContractOperation;
  readonly path: string;
}

/** The facilitator's response to a settlement. `receipt` is a PAYMENT-RESPONSE header. */
export type GatewaySettlement =
  | { readonly kind: 'settled'; readonly transaction: string; readonly receipt: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly receipt: string }
  /** The transaction was sent to the chain and is not confirmed yet. */
  | { readonly kind: 'pending'; readonly reason: string };

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
   * Verifies a payment for an operation with the facilitator.
   * @returns the payment terms that the payment fulfils, or a challenge with the reason of the refusal
   * @throws FacilitatorError when the facilitator sent no usable response
   */
  readonly verify: (
    target: OperationTarget,
    payload: PaymentPayload,
  ) => Promise<{ readonly terms: PaymentRequirements } | { readonly refused: PaymentRequired }>;
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

/**
 * Creates the SDK's adapter of a request, with the payment, the method and the public URL of this service. The Host
 * header of the request is untrusted and not used.
 */
const createAdapter = (
  { operation, path }: OperationTarget,
  baseUrl: string,
  payload: PaymentPayload | null,
): HTTPAdapter => ({
  getHeader: (name) =>
    payload !== null && name.toLowerCase() === 'payment-signature'
      ? encodePaymentSignatureHeader(payload)
      : undefined,
  getMethod: () => operation.method,
  getPath: () => path,
  getUrl: () => `${baseUrl}${path}`,
  // This value makes the SDK create a JSON challenge for every client, and no HTML page for browsers.
  getAcceptHeader: () => 'application/json',
  getUserAgent: () => '',
});

const findToken = (network: string) => {
  const token = findCanonicalUsdc(network);
  if (token === null || token.domain === null || token.isPermit2Only || !/^eip155:\d+$/.test(network)) {
    throw new Error(`X402_NETWORK: no USDC with EIP-3009 support is known on ${network}`);
  }
  // The casts are safe: the pattern above checks the network, and the token table contains addresses only.
  const caip2 = network as `eip155:${number}`;
  const asset = token.asset as `0x${string}`;
  return { ...token, network: caip2, asset, domain: token.domain };
};

/** Function that returns the reason to refuse a payment before the facilitator is called; null without a reason. */
type AuthorizationCheck = (
  payload: PaymentPayload,
  terms: Pick<PaymentRequirements, 'amount' | 'payTo'>,
) => string | null;

const openServer = (
  facilitator: GatewayOptions['facilitator'],
  network: `eip155:${number}`,
  check: AuthorizationCheck,
): x402ResourceServer =>
  new x402ResourceServer(guardFacilitator(facilitator, network))
    .register(network, new ExactEvmScheme())
    .registerExtension(bazaarResourceServerExtension)
    .onBeforeVerify(({ paymentPayload, requirements }) => {
      // The cast removes `readonly` from the type of the payload.
      const reason = check(paymentPayload as PaymentPayload, requirements);
      return Promise.resolve(reason === null ? undefined : { abort: true, reason });
    });

const createRoute = (operation: ContractOperation, options: GatewayOptions, baseUrl: string) => {
  const { asset, network, domain, decimals } = findToken(options.network);
  const { resource, accepts, extensions } = createChallenge(operation, baseUrl, {
    network,
    asset,
    // The address is written with its checksum (EIP-55), because some clients refuse an address in lower case.
    payTo: getAddress(options.payTo),
    decimals,
    domain,
    validitySeconds: options.maxTimeoutSeconds,
  });
  const [{ scheme, payTo, amount, maxTimeoutSeconds, extra }] = accepts;
  const { description, mimeType, serviceName, tags } = resource;
  return {
    accepts: { scheme, network, payTo, price: { asset, amount, extra }, maxTimeoutSeconds },
    description,
    mimeType,
    tags,
    serviceName,
    extensions,
  };
};

const readChallenge = (result: HTTPProcessResult): PaymentRequired => {
  // The SDK treats a route that it does not recognize as free, so the operation would be served without payment.
  if (result.type !== 'payment-error') {
    throw new Error('the x402 SDK did not recognize a paid operation as paid');
  }
  const header = result.response.headers['PAYMENT-REQUIRED'];
  if (header === undefined) throw new Error('the x402 SDK created no PAYMENT-REQUIRED header');
  return decodePaymentRequiredHeader(header);
};

const toBaseUrl = ({ baseUrl }: Pick<GatewayOptions, 'baseUrl'>): string => baseUrl.replace(/\/+$/, '');

type OpenRoute = (operation: ContractOperation) => Promise<x402HTTPResourceServer>;

/** Opens the route of each operation once. If that fails, the next request tries again. */
const memoizeRoutes = (openRoute: OpenRoute): OpenRoute => {
  const routes = new Map<ContractOperation, Promise<x402HTTPResourceServer>>();
  return (operation) => {
    const known = routes.get(operation);
    if (known !== undefined) return known;
    const opening = openRoute(operation);
    routes.set(operation, opening);
    opening.catch(() => routes.delete(operation));
    return opening;
  };
};

/**
 * Returns a function that processes a request for an operation with the SDK. Its `payload` is null without a payment.
 */
const openProcessor = (server: x402ResourceServer, options: GatewayOptions) => {
  const baseUrl = toBaseUrl(options);
  const openRoute = memoizeRoutes(async (operation) => {
    const pattern = `${operation.method} ${operation.path.replaceAll(/\{([^}]+)\}/g, '[$1]')}`;
    const http = new x402HTTPResourceServer(server, { [pattern]: createRoute(operation, options, baseUrl) });
    await http.initialize();
    return http;
  });
  return async (target: OperationTarget, payload: PaymentPayload | null): Promise<HTTPProcessResult> => {
    const { operation, path } = target;
    const http = await openRoute(operation);
    const adapter = createAdapter(target, baseUrl, payload);
    return http.processHTTPRequest({ adapter, path, method: operation.method });
  };
};

const openCheckedServer = (options: GatewayOptions, network: `eip155:${number}`): x402ResourceServer => {
  const { maxTimeoutSeconds = PAYMENT_VALIDITY_SECONDS, minValiditySeconds = 60 } = options;
  if (maxTimeoutSeconds <= minValiditySeconds) {
    throw new Error('maxTimeoutSeconds must exceed minValiditySeconds, or every payment expires too early');
  }
  return openServer(options.facilitator, network, (payload, terms) => {
    const bounds = { now: options.now(), minValiditySeconds, maxTimeoutSeconds };
    return findRefusalReason(readAuthorization(payload), terms, bounds);
  });
};

/**
 * Opens the gateway. The facilitator gets no request before the first payment.
 * @throws Error when the network has no suitable USDC, or `payTo` is not an address
 */
export const openGateway = (options: GatewayOptions): Gateway => {
  const { asset, network } = findToken(options.network);
  const server = openCheckedServer(options, network);
  if (!isAddress(options.payTo)) throw new Error('payTo: not an address of the network');
  const process = openProcessor(server, options);
  // A settlement does not depend on a route, so this server needs no routes.
  const settler = new x402HTTPResourceServer(server, {});
  return {
    asset: asset.toLowerCase() as `0x${string}`,
    network,
    baseUrl: toBaseUrl(options),
    getTerms: async (target) => {
      const [terms] = readChallenge(await process(target, null)).accepts;
      if (terms === undefined) throw new Error('the challenge of a paid operation has no payment terms');
      return terms;
    },
    createChallenge: async (target, error) => {
      const challenge = withPurchaseSecret(readChallenge(await process(target, null)));
      return error === undefined ? challenge : { ...challenge, error };
    },
    verify: async (target, payload) => {
      const result = await process(target, payload);
      return result.type === 'payment-verified'
        ? { terms: result.paymentRequirements }
        : { refused: withPurchaseSecret(readChallenge(result)) };
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
