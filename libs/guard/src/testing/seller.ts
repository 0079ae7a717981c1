import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, type Listening } from './listen.ts';
import { BASE, PAY_TO, USDC } from './touchstone.ts';

/** Payment requirements that a test changes. */
export interface Terms {
  readonly scheme?: string;
  readonly network?: string;
  readonly asset?: string;
  readonly amount?: string;
  readonly payTo?: string;
  readonly maxTimeoutSeconds?: number;
  readonly extra?: object;
}

export interface Seller extends Listening {
  /** Headers of the payments that arrived. */
  readonly payments: string[];
  /** Function that responds to each payment. A test can replace this function. */
  deliver: (response: ServerResponse) => void;
}

/** Creates payment requirements of version 2: one cent in USDC on Base. */
export function createRequirements(terms: Terms = {}) {
  return {
    scheme: 'exact',
    network: BASE,
    asset: USDC,
    amount: '10000',
    payTo: PAY_TO,
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2' },
    ...terms,
  };
}

/** Creates payment requirements of version 1. */
export function createRequirementsV1(resource: string, { amount, ...terms }: Terms = {}) {
  return {
    scheme: 'exact',
    network: 'base',
    maxAmountRequired: amount ?? '10000',
    resource,
    description: '',
    mimeType: 'application/json',
    outputSchema: {},
    payTo: PAY_TO,
    maxTimeoutSeconds: 60,
    asset: USDC,
    extra: { name: 'USD Coin', version: '2' },
    ...terms,
  };
}

/** Encodes a value as the headers of x402 do. */
export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

/**
 * Starts a seller. It sells everything below `/v2` and `/v1` on the given terms, and redirects `/moved` to `/v2`.
 *
 * @param offers terms of each payment option
 */
export async function startSeller(offers: readonly Terms[] = [{}]): Promise<Seller> {
  const payments: string[] = [];
  const seller = {
    payments,
    deliver: (response: ServerResponse): void => void response.end('the weather'),
  };
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host ?? ''}${request.url ?? ''}`;
    const payment = findPayment(request);
    if (request.url?.startsWith('/moved') === true) {
      response.writeHead(307, { location: '/v2/weather' }).end();
    } else if (payment !== null) {
      payments.push(payment);
      seller.deliver(response);
    } else if (request.url?.startsWith('/v1') === true) {
      const accepts = offers.map((terms) => createRequirementsV1(url, terms));
      response.writeHead(402).end(JSON.stringify({ x402Version: 1, error: 'pay', accepts }));
    } else {
      const resource = { url, description: '', mimeType: '' };
      const challenge = { x402Version: 2, resource, accepts: offers.map(createRequirements) };
      response.writeHead(402, { 'payment-required': encode(challenge) }).end('{}');
    }
  });
  return Object.assign(seller, await listen(server));
}

function findPayment({ headers }: IncomingMessage): string | null {
  const payment = headers['payment-signature'] ?? headers['x-payment'];
  return typeof payment === 'string' ? payment : null;
}
