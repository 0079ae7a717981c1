import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { findCanonicalUsdc } from '@touchstone/x402';
import { type Running, startServer } from './serve.ts';

/** Wallet that receives the payments in tests. */
export const SELLER_WALLET = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
export const NETWORK = 'eip155:8453';
export const USDC = findCanonicalUsdc(NETWORK)?.asset ?? '';

type JsonObject = Readonly<Record<string, unknown>>;

export interface PaidRequest {
  /** Value of the PAYMENT-SIGNATURE header. */
  readonly signature: string;
  readonly body: string;
  readonly path: string;
  /** Number of earlier requests with a payment. */
  readonly paidBefore: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A service that requires payment and records its requests. */
export interface Seller extends Running {
  readonly base: string;
  /** PAYMENT-SIGNATURE headers of the requests with a payment, in order. */
  readonly signatures: readonly string[];
  /** Bodies of all requests, in order. */
  readonly bodies: readonly string[];
  /** Returns the number of requests without a payment. */
  readonly unpaid: () => number;
}

export interface SellerOptions {
  readonly onPaid?: (sale: PaidRequest) => void | Promise<void>;
  /** True for a service that requires no payment. */
  readonly isFree?: boolean;
  readonly challenge?: (url: string) => unknown;
  readonly onGet?: (path: string, response: ServerResponse) => void;
  /** Responds to requests with an Authorization header, such as requests of the owner of a watch. */
  readonly onAuthorized?: (request: AuthorizedRequest, response: ServerResponse) => void;
}

export interface AuthorizedRequest {
  readonly method: string;
  readonly url: URL;
  readonly authorization: string;
  readonly body: string;
}

/**
 * Creates a challenge of x402 version 2 as the service does.
 *
 * @param option changed members of the payment option
 */
export function createChallenge(url: string, option: JsonObject = {}, resource: JsonObject = {}): JsonObject {
  return {
    x402Version: 2,
    error: 'Payment required',
    resource: {
      url,
      description: 'Trust report on one x402 endpoint',
      serviceName: 'Touchstone',
      ...resource,
    },
    accepts: [
      {
        scheme: 'exact',
        network: NETWORK,
        amount: '5000',
        asset: USDC,
        payTo: SELLER_WALLET,
        maxTimeoutSeconds: 60,
        extra: { name: 'USD Coin', version: '2' },
        ...option,
      },
    ],
  };
}

/** Encodes a value as an x402 header: base64 of JSON. */
export function encodeHeader(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

export function respond(response: ServerResponse, value: unknown, receipt?: JsonObject): void {
  response.setHeader('content-type', 'application/json');
  if (receipt !== undefined) response.setHeader('payment-response', encodeHeader(receipt));
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Content of the PAYMENT-RESPONSE header after a successful settlement. */
export const SETTLED: JsonObject = { success: true, transaction: `0x${'ab'.repeat(32)}`, network: NETWORK };

/** Starts a service that requires payment. By default it accepts every payment. */
export async function openSeller({
  onPaid = ({ response }) => respond(response, { sold: true }, SETTLED),
  challenge = createChallenge,
  isFree = false,
  onGet,
  onAuthorized,
}: SellerOptions = {}): Promise<Seller> {
  const signatures: string[] = [];
  const bodies: string[] = [];
  let unpaid = 0;
  const server = await startServer(
    (request, response) =>
      void text(request).then(async (body) => {
        const path = request.url ?? '';
        const { authorization } = request.headers;
        if (authorization !== undefined && onAuthorized !== undefined) {
          const url = new URL(path, toBaseUrl(server));
          onAuthorized({ method: request.method ?? '', url, authorization, body }, response);
          return;
        }
        if (request.method === 'GET') {
          response.statusCode = onGet === undefined ? 404 : 200;
          if (onGet === undefined) response.end('{}');
          else onGet(path, response);
          return;
        }
        bodies.push(body);
        const signature = request.headers['payment-signature'];
        if (typeof signature !== 'string') {
          unpaid += 1;
          if (isFree) {
            respond(response, { sold: true });
            return;
          }
          response.statusCode = 402;
          response.setHeader('payment-required', encodeHeader(challenge(toBaseUrl(server) + path)));
          respond(response, {});
          return;
        }
        signatures.push(signature);
        await onPaid({ signature, body, path, paidBefore: signatures.length - 1, request, response });
      }),
  );
  return { ...server, base: toBaseUrl(server), signatures, bodies, unpaid: () => unpaid };
}

function toBaseUrl({ port }: Running): string {
  return `http://127.0.0.1:${port}`;
}
