import { canonicalUsdc } from '@touchstone/x402';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve, type Running } from './serve.ts';

/** The wallet that sellers of the tests are paid at. */
export const SELLER_WALLET = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
export const NETWORK = 'eip155:8453';
export const USDC = canonicalUsdc(NETWORK)?.asset ?? '';

type Bag = Readonly<Record<string, unknown>>;

/** A request that came with a payment. */
export interface Sale {
  /** The value of its PAYMENT-SIGNATURE header. */
  readonly signature: string;
  readonly body: string;
  readonly path: string;
  /** How often something was paid for before. */
  readonly before: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A service that charges, and what it was sent. */
export interface Seller extends Running {
  readonly base: string;
  /** The signatures that arrived, in order. */
  readonly signatures: readonly string[];
  /** The bodies of all requests, in order. */
  readonly bodies: readonly string[];
  /** How many requests came without a payment. */
  readonly unpaid: () => number;
}

export interface SellerOptions {
  /** Answers a request that came with a payment. */
  readonly onPaid?: (sale: Sale) => void | Promise<void>;
  /** What it asks for, given the address that was asked. */
  readonly challenge?: (url: string) => unknown;
  /** Answers GET requests, as for keys. */
  readonly onGet?: (path: string, response: ServerResponse) => void;
}

/** Terms of version 2 as the service asks for them, the option and the resource changed as told. */
export function challengeFor(url: string, option: Bag = {}, resource: Bag = {}): Bag {
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

/** Base64 of JSON, as x402 headers are. */
export function header(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

/** Answers with JSON, and with a receipt where one is given. */
export function answer(response: ServerResponse, value: unknown, receipt?: Bag): void {
  response.setHeader('content-type', 'application/json');
  if (receipt !== undefined) response.setHeader('payment-response', header(receipt));
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
}

/** The receipt of a settlement that went well. */
export const SETTLED: Bag = { success: true, transaction: `0x${'ab'.repeat(32)}`, network: NETWORK };

/** Starts a service that charges; it takes every payment for good unless told otherwise. */
export async function openSeller({
  onPaid = ({ response }) => answer(response, { sold: true }, SETTLED),
  challenge = challengeFor,
  onGet,
}: SellerOptions = {}): Promise<Seller> {
  const signatures: string[] = [];
  const bodies: string[] = [];
  let unpaid = 0;
  const server = await serve(
    (request, response) =>
      void text(request).then(async (body) => {
        const path = request.url ?? '';
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
          response.statusCode = 402;
          response.setHeader('payment-required', header(challenge(baseOf(server) + path)));
          answer(response, {});
          return;
        }
        signatures.push(signature);
        await onPaid({ signature, body, path, before: signatures.length - 1, request, response });
      }),
  );
  return { ...server, base: baseOf(server), signatures, bodies, unpaid: () => unpaid };
}

function baseOf({ port }: Running): string {
  return `http://127.0.0.1:${port}`;
}
