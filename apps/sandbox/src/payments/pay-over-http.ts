import { request } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import { parseJson, readBoundedText } from '@touchstone/common';
import type { SandboxChain } from '../chain/open-chain.ts';
import { LOOPBACK } from '../http/loopback.ts';
import type { EndpointDefinition } from '../scenario/scenario-schema.ts';
import { toPendingPayment, type Buyer } from './buyer.ts';
import type { Ledger } from './ledger.ts';
import type { ObservedPayment } from './outcome-reports.ts';
import type { PlannedCall } from './planned-calls.ts';

export interface HttpPaymentOptions {
  /** Chain of the network on which the buyers pay. */
  readonly chain: SandboxChain;
  readonly ledger: Ledger;
  readonly buyer: (name: string) => Buyer;
  readonly tlsPort: number;
  /** Certificate of the authority that issued the TLS server's certificate, PEM. */
  readonly ca: string;
}

interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const TIMEOUT_MS = 30_000;
/** Maximum length of all response headers, in bytes. Some endpoints exceed Node's default of 16 KiB on purpose. */
const MAX_HEADER_BYTES = 65_536;
/** Maximum length of a response body, in bytes. */
const MAX_BODY_BYTES = 1_048_576;

function requestEndpoint(
  { url, method, input }: EndpointDefinition,
  { tlsPort, ca }: HttpPaymentOptions,
  headers: Record<string, string> = {},
): Promise<ReceivedResponse> {
  const { hostname, pathname } = new URL(url);
  const body = method === 'POST' ? JSON.stringify(input) : undefined;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const options = {
    host: LOOPBACK,
    port: tlsPort,
    path: pathname,
    method,
    servername: hostname,
    headers: { host: hostname, ...type, ...headers },
    ca,
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      readBoundedText(response, MAX_BODY_BYTES).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        reject,
      );
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

function createHeaderReader({ headers }: ReceivedResponse) {
  return (name: string): string | null => {
    const value = headers[name.toLowerCase()];
    return typeof value === 'string' ? value : null;
  };
}

/**
 * Calls an endpoint over TLS, pays its challenge with the reference client and records the settled payment in the
 * ledger.
 * @returns the ledger entry and the status of the response, or null when nothing was paid
 * @throws when the endpoint cannot be reached, or when the client refuses to pay the challenge
 */
export async function payOverHttp(
  call: PlannedCall,
  options: HttpPaymentOptions,
): Promise<ObservedPayment | null> {
  const { definition } = call.endpoint;
  const { http, sign } = options.buyer(call.buyer);
  const unpaid = await requestEndpoint(definition, options);
  if (unpaid.status !== 402) return null;
  const required = http.getPaymentRequiredResponse(createHeaderReader(unpaid), parseJson(unpaid.body));
  const payment = await sign(required);
  const { chain, ledger } = options;
  const details = { network: chain.network.id, endpoint: definition.name, wash: call.wash };
  const pending = toPendingPayment(payment, details);
  const sinceBlock = chain.head().number;
  await ledger.recordPending([pending]);
  const paymentHeader = http.encodePaymentSignatureHeader(payment);
  const response = await requestEndpoint(definition, options, paymentHeader).catch(() => null);
  // The response does not decide about the ledger entry, because a seller can settle the payment and still respond with
  // an error. `confirm` checks the chain.
  const entry = await ledger.confirm(pending, { chain, sinceBlock });
  return entry && { entry, httpStatus: response?.status ?? null };
}
