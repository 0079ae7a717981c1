import { webcrypto } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  ENDPOINT_SUMMARY_EXAMPLE,
  endpointSummarySchema,
  TRUST_REPORT_EXAMPLE,
  trustReportSchema,
  type EndpointSummary,
  type TrustReport,
} from '@touchstone/contract';
import { readSigningKeys, signDocument, type SigningKeys } from '@touchstone/trust';
import { listen, type Listening } from './listen.ts';

type KnownEndpoint = NonNullable<EndpointSummary['endpoint']>;

/** Signing keys of two services: published test keys of RFC 8032, section 7.1. */
const [KEYS, OTHER_KEYS] = (await Promise.all(
  [
    {
      d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    },
    {
      d: 'TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs',
      x: 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw',
    },
  ].map((pair) =>
    readSigningKeys(JSON.stringify({ kty: 'OKP', crv: 'Ed25519', ...pair }), {
      baseUrl: 'https://touchstone.example',
      subtle: webcrypto.subtle,
    }),
  ),
)) as [SigningKeys, SigningKeys];
export { KEYS, OTHER_KEYS };

/** Known endpoint of the example. Its price is $0.01 in USDC on Base. */
const KNOWN = ENDPOINT_SUMMARY_EXAMPLE.endpoint as KnownEndpoint;
export const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
export const OTHER_PAY_TO = '0x1111111111111111111111111111111111111111';
export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const BASE = 'eip155:8453';

/** Values that a test sets in the signed responses of the test server. */
export interface Answer {
  readonly endpoint?: Partial<KnownEndpoint> | null;
  readonly match?: EndpointSummary['match'];
  /** Facts about the host of an unknown endpoint; default: a host without known endpoints. */
  readonly unknownHost?: EndpointSummary['unknownHost'];
  /** Recipients that the service observed; default `PAY_TO`. */
  readonly observed?: readonly string[];
  readonly requested?: Partial<EndpointSummary['requested']>;
  readonly generatedAt?: string;
  readonly keys?: SigningKeys | null;
}

/** Creates a signed summary on a request, as the service creates it. */
export async function createSummary(url: URL, answer: Answer = {}): Promise<EndpointSummary> {
  const { endpoint = {}, match = 'exact', observed = [PAY_TO], keys = KEYS } = answer;
  const [resource, payTo, network] = ['resource', 'payTo', 'network'].map((name) =>
    url.searchParams.get(name),
  );
  const isObserved = observed.some((address) => address.toLowerCase() === payTo?.toLowerCase());
  const document = endpointSummarySchema.parse({
    ...ENDPOINT_SUMMARY_EXAMPLE,
    generatedAt: answer.generatedAt ?? new Date().toISOString(),
    requested: { resource, payTo, network, ...answer.requested },
    match: endpoint === null ? null : match,
    payTo:
      endpoint === null
        ? null
        : {
            address: payTo,
            network,
            observed: isObserved,
            current: isObserved,
            varies: false,
            ...{ changedAt: null, before: null },
          },
    endpoint:
      endpoint === null ? null : { ...KNOWN, resource, lastProbedAt: new Date().toISOString(), ...endpoint },
    unknownHost: answer.unknownHost ?? (endpoint === null ? { knownEndpoints: 0, resembles: null } : null),
    signature: null,
  });
  return keys === null ? document : signDocument(document, keys.signing);
}

/** Creates a signed report of the example endpoint. */
export async function createReport(
  resource: string,
  change: Partial<TrustReport> = {},
): Promise<TrustReport> {
  const now = new Date().toISOString();
  const freshness = { ...TRUST_REPORT_EXAMPLE.freshness, probedAt: now };
  const report = {
    ...{ ...TRUST_REPORT_EXAMPLE, resource, generatedAt: now, freshness, signature: null },
    ...change,
  };
  return signDocument(trustReportSchema.parse(report), KEYS.signing);
}

export interface Touchstone extends Listening {
  readonly lookups: URL[];
  /** Function that responds to each request. A test can replace this function. */
  respond: (url: URL, request: IncomingMessage, response: ServerResponse) => Promise<unknown>;
}

/** Starts a service that signs its statements with `KEYS`. */
export async function startTouchstone(answer: (url: URL) => Answer = () => ({})): Promise<Touchstone> {
  const lookups: URL[] = [];
  const touchstone = {
    lookups,
    respond: async (url: URL, _request: IncomingMessage, response: ServerResponse) => {
      // The server knows no state of payments.
      if (url.pathname === '/v1/payment-status') response.writeHead(503).end();
      else sendJson(response, await createSummary(url, answer(url)));
    },
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://touchstone.example');
    if (url.pathname !== '/v1/payment-status') lookups.push(url);
    void touchstone.respond(url, request, response);
  });
  return Object.assign(touchstone, await listen(server));
}

export function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
