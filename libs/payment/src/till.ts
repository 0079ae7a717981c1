import { canonicalUsdc } from '@touchstone/x402';
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server';
import type { HTTPAdapter, HTTPProcessResult } from '@x402/core/server';
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { bazaarResourceServerExtension } from '@x402/extensions/bazaar';
import { getAddress, isAddress } from 'viem';
import { discoveryExtension } from './discovery-extension.ts';
import { guardFacilitator } from './guard-facilitator.ts';
import { withPurchaseSecret } from './purchase-secret.ts';
import { readAuthorization } from './read-payment.ts';
import { refusalOf } from './refusal.ts';
import type { SellerOptions, SoldOperation } from './types.ts';

/** Where something is sold: an operation, and the path that was asked for. */
export interface Place {
  readonly operation: SoldOperation;
  readonly path: string;
}

/** What became of a settlement that the facilitator answered. `receipt` is a PAYMENT-RESPONSE header. */
export type SettleAnswer =
  | { readonly kind: 'settled'; readonly transaction: string; readonly receipt: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly receipt: string }
  /** It was sent to the chain and is not confirmed. */
  | { readonly kind: 'pending'; readonly reason: string };

/** The terms of what is sold, and the facilitator that takes the money. */
export interface Till {
  /** The token that is paid with: address in lower case. */
  readonly asset: `0x${string}`;
  readonly network: `${string}:${string}`;
  /** What a place asks for. */
  readonly terms: (place: Place) => Promise<PaymentRequirements>;
  /** The challenge of a place; `error` says why one is given. */
  readonly challenge: (place: Place, error?: string) => Promise<PaymentRequired>;
  /**
   * Asks the facilitator whether a payment is good for a place.
   * @returns the terms that it pays, or the challenge that says why it does not
   * @throws FacilitatorTrouble
   */
  readonly verify: (
    place: Place,
    payload: PaymentPayload,
  ) => Promise<{ readonly terms: PaymentRequirements } | { readonly refused: PaymentRequired }>;
  /**
   * Has the facilitator settle a payment that was verified.
   * @throws FacilitatorTrouble when it is not known what became of it
   */
  readonly settle: (payload: PaymentPayload, terms: PaymentRequirements) => Promise<SettleAnswer>;
}

type TillOptions = Pick<
  SellerOptions,
  | 'facilitator'
  | 'network'
  | 'payTo'
  | 'baseUrl'
  | 'now'
  | 'serviceName'
  | 'maxTimeoutSeconds'
  | 'minValiditySeconds'
>;

/** The SDK sees what it needs of a request, and nothing that a stranger says of our address. */
const adapterOf = (
  { operation, path }: Place,
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
  // Everybody is given the challenge as it is, and nobody a page.
  getAcceptHeader: () => 'application/json',
  getUserAgent: () => '',
});

const atomic = (priceUsd: string | null, decimals: number): string => {
  const [, whole = '', fraction = ''] = /^(\d+)\.(\d+)$/.exec(priceUsd ?? '') ?? [];
  if (whole === '' || fraction.length > decimals) throw new Error('an operation without a price is not sold');
  return BigInt(whole + fraction.padEnd(decimals, '0')).toString();
};

const usdcOf = (network: string) => {
  const token = canonicalUsdc(network);
  if (token === null || token.domain === null || token.permit2Only || !/^eip155:\d+$/.test(network)) {
    throw new Error(`X402_NETWORK: no USDC that takes EIP-3009 authorizations is known on ${network}`);
  }
  // The patterns just tested are what the types say.
  const caip2 = network as `eip155:${number}`;
  const asset = token.asset as `0x${string}`;
  return { ...token, network: caip2, asset, domain: token.domain };
};

type Judge = (payload: PaymentPayload, terms: Pick<PaymentRequirements, 'amount' | 'payTo'>) => string | null;

const openServer = (
  facilitator: TillOptions['facilitator'],
  network: `eip155:${number}`,
  judge: Judge,
): x402ResourceServer =>
  new x402ResourceServer(guardFacilitator(facilitator, network))
    .register(network, new ExactEvmScheme())
    .registerExtension(bazaarResourceServerExtension)
    .onBeforeVerify(({ paymentPayload, requirements }) => {
      // The SDK hands the payload on as it is, and merely forbids to change it.
      const reason = judge(paymentPayload as PaymentPayload, requirements);
      return Promise.resolve(reason === null ? undefined : { abort: true, reason });
    });

const routeOf = (operation: SoldOperation, options: TillOptions) => {
  const { asset, network, domain, decimals } = usdcOf(options.network);
  const { serviceName } = options;
  return {
    accepts: {
      scheme: 'exact',
      network,
      // Some read an address without its checksum as a mistake.
      payTo: getAddress(options.payTo),
      price: { asset, amount: atomic(operation.priceUsd, decimals), extra: { ...domain } },
      maxTimeoutSeconds: options.maxTimeoutSeconds ?? 300,
    },
    description: operation.description,
    mimeType: 'application/json',
    tags: [...operation.tags],
    ...(serviceName === undefined ? {} : { serviceName }),
    extensions: discoveryExtension(operation),
  };
};

const challengeIn = (result: HTTPProcessResult): PaymentRequired => {
  // A route that the SDK does not recognize would be served for nothing.
  if (result.type !== 'payment-error')
    throw new Error('an operation that is paid was not recognized as such');
  const header = result.response.headers['PAYMENT-REQUIRED'];
  if (header === undefined) throw new Error('there is no challenge where one should be');
  return decodePaymentRequiredHeader(header);
};

type Open = (operation: SoldOperation) => Promise<x402HTTPResourceServer>;

/** Opens each operation once; what failed may succeed the next time. */
const keepOpen = (open: Open): Open => {
  const opened = new Map<SoldOperation, Promise<x402HTTPResourceServer>>();
  return (operation) => {
    const known = opened.get(operation);
    if (known !== undefined) return known;
    const opening = open(operation);
    opened.set(operation, opening);
    opening.catch(() => opened.delete(operation));
    return opening;
  };
};

/**
 * Opens the till. Nothing is asked of the facilitator until somebody pays.
 * @throws Error when nothing can be sold on the network, or to the address
 */
export const openTill = (options: TillOptions): Till => {
  const { asset, network } = usdcOf(options.network);
  const { maxTimeoutSeconds = 300, minValiditySeconds = 60 } = options;
  if (maxTimeoutSeconds <= minValiditySeconds)
    throw new Error('a payment would be too old when it is signed');
  if (!isAddress(options.payTo)) throw new Error('payTo: not an address of the network');
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const judge: Judge = (payload, terms) => {
    const bounds = { now: options.now(), minValiditySeconds, maxTimeoutSeconds };
    return refusalOf(readAuthorization(payload), terms, bounds);
  };
  const server = openServer(options.facilitator, network, judge);
  // A settlement is the same on every route.
  const settler = new x402HTTPResourceServer(server, {});
  const serverOf = keepOpen(async (operation) => {
    const pattern = `${operation.method} ${operation.path.replaceAll(/\{([^}]+)\}/g, '[$1]')}`;
    const http = new x402HTTPResourceServer(server, { [pattern]: routeOf(operation, options) });
    await http.initialize();
    return http;
  });
  const process = async (place: Place, payload: PaymentPayload | null): Promise<HTTPProcessResult> => {
    const { operation, path } = place;
    const http = await serverOf(operation);
    const adapter = adapterOf(place, baseUrl, payload);
    return http.processHTTPRequest({ adapter, path, method: operation.method });
  };

  return {
    asset: asset.toLowerCase() as `0x${string}`,
    network,
    terms: async (place) => {
      const [terms] = challengeIn(await process(place, null)).accepts;
      if (terms === undefined) throw new Error('an operation that is paid asks for nothing');
      return terms;
    },
    challenge: async (place, error) => {
      const challenge = withPurchaseSecret(challengeIn(await process(place, null)));
      return error === undefined ? challenge : { ...challenge, error };
    },
    verify: async (place, payload) => {
      const result = await process(place, payload);
      return result.type === 'payment-verified'
        ? { terms: result.paymentRequirements }
        : { refused: withPurchaseSecret(challengeIn(result)) };
    },
    settle: async (payload, terms) => {
      const answer = await settler.processSettlement(payload, terms);
      const receipt = answer.headers['PAYMENT-RESPONSE'] ?? '';
      const { transaction } = answer;
      if (answer.success) return { kind: 'settled', transaction, receipt };
      const { errorReason: reason } = answer;
      return transaction === '' ? { kind: 'refused', reason, receipt } : { kind: 'pending', reason };
    },
  };
};
