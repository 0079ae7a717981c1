import { request } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import { LOOPBACK } from '../loopback.ts';
import { parseJson } from '../json.ts';
import type { Endpoint } from '../scenario-schema.ts';
import { promisedBy } from './buyer.ts';
import type { Buyer } from './buyer.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';
import type { PlannedCall } from './planned-calls.ts';

export interface PresentOptions {
  readonly ledger: Ledger;
  readonly buyer: (name: string) => Buyer;
  /** Port of the endpoints' TLS server, and the authority that vouches for it (PEM). */
  readonly tlsPort: number;
  readonly ca: string;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const PATIENCE_MS = 30_000;
/** More than Node takes by default: some endpoints of the sandbox ask with very long headers. */
const MOST_HEADER_BYTES = 65_536;

const requestTo = (endpoint: Endpoint, headers: Record<string, string>) => {
  const url = new URL(endpoint.url);
  const body = endpoint.method === 'POST' ? JSON.stringify(endpoint.input) : null;
  const type = body === null ? {} : { 'content-type': 'application/json' };
  return {
    body,
    options: {
      host: LOOPBACK,
      path: url.pathname,
      method: endpoint.method,
      servername: url.hostname,
      headers: { host: url.hostname, ...type, ...headers },
      agent: false,
      maxHeaderSize: MOST_HEADER_BYTES,
    },
  };
};

const ask = (
  endpoint: Endpoint,
  { tlsPort, ca }: PresentOptions,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { options, body } = requestTo(endpoint, headers);
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const outgoing = request({ ...options, port: tlsPort, ca, signal }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end(body ?? undefined);
  });

const headerReader =
  ({ headers }: Answer) =>
  (name: string): string | null => {
    const value = headers[name.toLowerCase()];
    return typeof value === 'string' ? value : null;
  };

/**
 * Calls an endpoint over its own TLS and pays what it asks with the stock client; what was settled goes into the ledger.
 * @returns what was paid, or null when nothing was
 * @throws when the endpoint cannot be reached, or asks for what the client would not pay
 */
export const payPresent = async (call: PlannedCall, options: PresentOptions): Promise<LedgerEntry | null> => {
  const { endpoint } = call.resident;
  const { http, sign } = options.buyer(call.buyer);
  const unpaid = await ask(endpoint, options);
  if (unpaid.status !== 402) return null;
  const terms = http.getPaymentRequiredResponse(headerReader(unpaid), parseJson(unpaid.body));
  const payment = await sign(terms);
  const promised = promisedBy(payment, { endpoint: endpoint.name, wash: call.wash });
  const since = await options.ledger.promise([promised]);
  // Whether it was settled is seen on the chain: a seller can take the money and answer with an error.
  await ask(endpoint, options, http.encodePaymentSignatureHeader(payment)).catch(() => null);
  return options.ledger.confirm(promised, since);
};
