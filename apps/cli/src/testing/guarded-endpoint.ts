import {
  ENDPOINT_SUMMARY_EXAMPLE,
  type EndpointSummary,
  endpointSummarySchema,
  KEY_SET_PATH,
} from '@touchstone/contract';
import { signDocument, type SigningKeys } from '@touchstone/trust';
import { createKeys } from './reports.ts';
import type { CommandResult } from './run-command.ts';
import { runInProcess } from './run-in-process.ts';
import { createChallengeHeaders, createEnvelope } from './saved-response.ts';
import { NETWORK, SELLER_WALLET, USDC } from './seller.ts';
import { type Running, startServer } from './serve.ts';

/** Payment options of an endpoint. Each option contains only its differences from the default option. */
export type Offers = readonly Readonly<Record<string, unknown>>[];

/** An endpoint that requires payment. */
export interface GuardedEndpoint extends Running {
  readonly url: string;
  /** Names of the header fields of all requests. */
  readonly headerNames: readonly string[];
}

/**
 * Starts an endpoint that requires payment. The default option is one cent in USDC on Base, paid to `SELLER_WALLET`.
 */
export async function startEndpoint(offers: Offers = [{}]): Promise<GuardedEndpoint> {
  const headerNames: string[] = [];
  const server = await startServer((request, response) => {
    headerNames.push(...Object.keys(request.headers));
    const url = `http://${request.headers.host ?? ''}${request.url ?? ''}`;
    const accepts = offers.flatMap(
      (offer) => createEnvelope(url, { payTo: SELLER_WALLET, ...offer })['accepts'],
    );
    response.writeHead(402, createChallengeHeaders({ ...createEnvelope(url), accepts })).end('{}');
  });
  return { ...server, url: `http://127.0.0.1:${String(server.port)}/v1/weather`, headerNames };
}

/** Differences of a statement from the default statement. `endpoint` is null for an unknown endpoint. */
export interface Statement {
  readonly endpoint?: Partial<NonNullable<EndpointSummary['endpoint']>> | null;
  readonly match?: EndpointSummary['match'];
}

/** A service that signs statements on endpoints. */
export interface GuardService extends Running {
  readonly base: string;
  readonly keys: SigningKeys;
  /** URLs of the received lookup requests. */
  readonly lookups: readonly URL[];
}

/** Starts a service that has observed payments to `SELLER_WALLET` at every endpoint. */
export async function startGuardService(statement: Statement = {}): Promise<GuardService> {
  const lookups: URL[] = [];
  const keys = await createKeys('https://touchstone.example');
  const server = await startServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    if (url.pathname === KEY_SET_PATH) {
      response.end(JSON.stringify(keys.published));
      return;
    }
    if (url.pathname === '/v1/payment-status') {
      response.writeHead(503).end();
      return;
    }
    lookups.push(url);
    void signDocument(createStatement(url, statement), keys.signing).then((signed) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(signed)),
    );
  });
  return { ...server, base: `http://127.0.0.1:${String(server.port)}`, keys, lookups };
}

function createStatement(
  { searchParams }: URL,
  { endpoint: change = {}, match = 'exact' }: Statement,
): EndpointSummary {
  const [resource, payTo, network] = ['resource', 'payTo', 'network'].map((name) => searchParams.get(name));
  const isObserved = payTo?.toLowerCase() === SELLER_WALLET.toLowerCase() && network === NETWORK;
  const now = new Date().toISOString();
  const example = ENDPOINT_SUMMARY_EXAMPLE.endpoint;
  const payOn = example?.payOn.map((option) => ({ ...option, network: NETWORK, asset: USDC })) ?? [];
  const known = {
    match,
    payTo:
      payTo === null
        ? null
        : {
            address: payTo,
            network,
            observed: isObserved,
            current: isObserved,
            varies: false,
            ...{ changedAt: null, before: null },
          },
    endpoint: { ...example, resource, payOn, lastProbedAt: now, ...change },
  };
  const unknown = {
    ...{ match: null, payTo: null, endpoint: null },
    unknownHost: { knownEndpoints: 0, resembles: null },
  };
  return endpointSummarySchema.parse({
    ...ENDPOINT_SUMMARY_EXAMPLE,
    generatedAt: now,
    requested: { resource, payTo, network },
    signature: null,
    ...(change === null ? unknown : known),
  });
}

/**
 * Runs `touchstone guard` with a service, unless the arguments name another service.
 *
 * @returns the result; `text` is its standard output without line breaks
 */
export async function runGuard(
  { base }: GuardService,
  url: string,
  args: readonly string[],
): Promise<CommandResult & { readonly text: string }> {
  const service = args.includes('--service') ? [] : ['--service', base];
  const result = await runInProcess(['guard', '--allow-private', ...service, ...args, url]);
  return { ...result, text: result.stdout.replace(/\s+/g, ' ') };
}
