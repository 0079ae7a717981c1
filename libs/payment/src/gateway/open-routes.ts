import { createChallenge } from '@touchstone/contract';
import { findCanonicalUsdc } from '@touchstone/x402';
import { decodePaymentRequiredHeader } from '@x402/core/http';
import { x402HTTPResourceServer } from '@x402/core/server';
import type { HTTPAdapter, HTTPProcessResult, x402ResourceServer } from '@x402/core/server';
import type { PaymentRequired } from '@x402/core/types';
import { getAddress } from 'viem';
import type { ContractOperation, SellerOptions } from '../types.ts';

/** A paid operation, and the path of one request for this operation. */
export interface OperationTarget {
  readonly operation: ContractOperation;
  readonly path: string;
}

type RouteOptions = Pick<SellerOptions, 'network' | 'payTo' | 'baseUrl' | 'maxTimeoutSeconds'>;

/**
 * Returns the USDC of a network.
 * @throws Error when no USDC with EIP-3009 support is known on the network
 */
export const findToken = (network: string) => {
  const token = findCanonicalUsdc(network);
  if (token === null || token.domain === null || token.isPermit2Only || !/^eip155:\d+$/.test(network)) {
    throw new Error(`X402_NETWORK: no USDC with EIP-3009 support is known on ${network}`);
  }
  // The casts are safe: the pattern above checks the network, and the token table contains addresses only.
  const caip2 = network as `eip155:${number}`;
  const asset = token.asset as `0x${string}`;
  return { ...token, network: caip2, asset, domain: token.domain };
};

/** Returns the public origin of the service without a trailing slash. */
export const toBaseUrl = ({ baseUrl }: Pick<SellerOptions, 'baseUrl'>): string => baseUrl.replace(/\/+$/, '');

/**
 * Creates the SDK's adapter of a request without a payment, with the method and the public URL of this service. The Host
 * header of the request is untrusted and not used.
 */
const createAdapter = ({ operation, path }: OperationTarget, baseUrl: string): HTTPAdapter => ({
  getHeader: () => undefined,
  getMethod: () => operation.method,
  getPath: () => path,
  getUrl: () => `${baseUrl}${path}`,
  // This value makes the SDK create a JSON challenge for every client, and no HTML page for browsers.
  getAcceptHeader: () => 'application/json',
  getUserAgent: () => '',
});

const createRoute = (operation: ContractOperation, options: RouteOptions, baseUrl: string) => {
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

/** Route of an operation in the SDK. */
interface Route {
  readonly createChallenge: (path: string) => Promise<PaymentRequired>;
  /** Challenge for the path of the operation, whose variable parts are not filled in. */
  readonly challenge: PaymentRequired;
}

const openRoute = async (
  server: x402ResourceServer,
  operation: ContractOperation,
  options: RouteOptions,
): Promise<Route> => {
  const baseUrl = toBaseUrl(options);
  const pattern = `${operation.method} ${operation.path.replaceAll(/\{([^}]+)\}/g, '[$1]')}`;
  const http = new x402HTTPResourceServer(server, { [pattern]: createRoute(operation, options, baseUrl) });
  await http.initialize();
  const create = async (path: string): Promise<PaymentRequired> => {
    const adapter = createAdapter({ operation, path }, baseUrl);
    return readChallenge(await http.processHTTPRequest({ adapter, path, method: operation.method }));
  };
  return { createChallenge: create, challenge: await create(operation.path) };
};

/**
 * Returns a function that creates the challenge of an operation without the secret of a purchase. All requests for a
 * path without variable parts get the same challenge, so it is created only once.
 */
export const openRoutes = (server: x402ResourceServer, options: RouteOptions) => {
  const routes = new Map<ContractOperation, Promise<Route>>();
  const open = (operation: ContractOperation): Promise<Route> => {
    const known = routes.get(operation);
    if (known !== undefined) return known;
    const opening = openRoute(server, operation, options);
    routes.set(operation, opening);
    // If the route cannot be opened, the next request tries again.
    opening.catch(() => routes.delete(operation));
    return opening;
  };
  return async ({ operation, path }: OperationTarget): Promise<PaymentRequired> => {
    const route = await open(operation);
    return path === operation.path ? route.challenge : route.createChallenge(path);
  };
};
