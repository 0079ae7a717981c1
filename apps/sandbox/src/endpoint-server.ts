import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Server as TcpServer, Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Certificates } from './certificates/certificates.ts';
import type { Clock } from './scenario/clock.ts';
import type { PaymentHandler } from './payments/payment-handler.ts';
import type { Receiver } from './receiver/receiver.ts';
import type { Behaviour } from './scenario/scenario-schema.ts';
import { matchTemplate } from './scenario/path-template.ts';
import { getStateAt } from './scenario/timeline.ts';
import { planResponse, type PlannedResponse } from './endpoints/plan-response.ts';
import {
  createJsonResponse,
  createServerErrorResponse,
  createTextResponse,
  type HttpResponse,
} from './http/responses.ts';
import type { SimulatedEndpoint } from './endpoints/simulated-endpoint.ts';

/** An endpoint and the values of its path parameters, for one request. */
interface Route {
  readonly endpoint: SimulatedEndpoint;
  /** Values of the path parameters, joined by "/"; "" for a path without parameters. */
  readonly item: string;
}

/** Endpoints of one host. */
interface HostRoutes {
  readonly exact: Map<string, Route>;
  readonly templated: SimulatedEndpoint[];
}

/**
 * Creates a function that finds the endpoint for a host name and a path without query. An endpoint with exactly this
 * path is preferred to an endpoint with a matching path template.
 */
export function createRouter(
  endpoints: readonly SimulatedEndpoint[],
): (host: string, path: string) => Route | null {
  const hosts = new Map<string, HostRoutes>();
  for (const endpoint of endpoints) {
    const routes: HostRoutes = hosts.get(endpoint.host) ?? { exact: new Map(), templated: [] };
    hosts.set(endpoint.host, routes);
    if (endpoint.isTemplated) routes.templated.push(endpoint);
    else routes.exact.set(endpoint.path, { endpoint, item: '' });
  }
  return (host, path) => {
    const routes = hosts.get(host);
    const exact = routes?.exact.get(path);
    if (exact || !routes) return exact ?? null;
    for (const endpoint of routes.templated) {
      const item = matchTemplate(endpoint.path, path);
      if (item !== null) return { endpoint, item };
    }
    return null;
  };
}

/**
 * Creates a function that resets the TCP connection of a client with an RST segment. The argument is the port of the
 * client. Node resets only TCP sockets, so the function uses the TCP socket below the TLS socket.
 */
function createConnectionResetter(server: TcpServer): (remotePort: number) => void {
  const sockets = new Map<number, Socket>();
  server.on('connection', (socket) => {
    const { remotePort } = socket;
    if (remotePort === undefined) return;
    sockets.set(remotePort, socket);
    socket.once('close', () => sockets.delete(remotePort));
  });
  return (remotePort) => sockets.get(remotePort)?.resetAndDestroy();
}

export interface EndpointServerOptions {
  readonly endpoints: readonly SimulatedEndpoint[];
  readonly certificates: Certificates;
  readonly clock: Clock;
  /**
   * Handler of requests that contain a payment; null when the sandbox has no chain. Without a handler, payments are
   * ignored.
   */
  readonly handlePayment: PaymentHandler | null;
  /** Receiver of webhooks and chat messages. It has its own hosts, which have no endpoints. */
  readonly receiver: Pick<Receiver, 'hasHost' | 'receive'>;
  /** Texts of the files that the hosts serve, by host and path. */
  readonly files: ReadonlyMap<string, string>;
}

type CertificateFault = Extract<Behaviour, { kind: 'bad-certificate' }>['fault'];

const DRIP_PIECES = 10;
/** TLS settings. X25519 is first: this key exchange is the fastest, which keeps the cost of probes low. */
const TLS = { minVersion: 'TLSv1.3', ecdhCurve: 'X25519:P-256' } as const;
const NOT_FOUND = createJsonResponse(404, { error: 'Not Found' });

/** Creates a function that returns the TLS context of a host at the simulated time. */
function createContextSelector({ endpoints, certificates, clock }: EndpointServerOptions) {
  const valid = createSecureContext({ ...TLS, ...certificates.wildcard });
  const invalid: Readonly<Record<CertificateFault, SecureContext>> = {
    expired: createSecureContext({ ...TLS, ...certificates.expired }),
    'wrong-host': createSecureContext({ ...TLS, ...certificates.wrongHost }),
    'self-signed': createSecureContext({ ...TLS, ...certificates.selfSigned }),
  };
  const affected = new Map(
    endpoints
      .filter(({ timeline }) => timeline.some(({ behaviour }) => behaviour.kind === 'bad-certificate'))
      .map((endpoint) => [endpoint.host, endpoint] as const),
  );
  return (host: string): SecureContext => {
    const endpoint = affected.get(host);
    const behaviour = endpoint && getStateAt(endpoint.timeline, clock.now()).behaviour;
    return behaviour?.kind === 'bad-certificate' ? invalid[behaviour.fault] : valid;
  };
}

function send(target: ServerResponse, response: HttpResponse): void {
  target.writeHead(response.status, [...response.headers]);
  target.end(response.body);
}

/** Sends the headers immediately, and then the body in 10 pieces within `dripMs` milliseconds. */
function sendSlowly(target: ServerResponse, response: HttpResponse, dripMs: number): void {
  target.writeHead(response.status, [...response.headers]);
  const size = Math.ceil(response.body.length / DRIP_PIECES);
  let sent = 0;
  const timer = setInterval(() => {
    const piece = response.body.subarray(sent, sent + size);
    sent += size;
    if (sent < response.body.length) return void target.write(piece);
    clearInterval(timer);
    target.end(piece);
  }, dripMs / DRIP_PIECES);
  target.flushHeaders();
  target.once('close', () => clearInterval(timer));
}

type FullResponse = Extract<PlannedResponse, { transport: 'response' }>;
type Reset = ReturnType<typeof createConnectionResetter>;

function execute(
  target: ServerResponse,
  planned: Exclude<PlannedResponse, { transport: 'hang' }>,
  reset: Reset,
): void {
  if (target.destroyed) return;
  if (planned.transport === 'reset') reset(target.socket?.remotePort ?? 0);
  else if (planned.dripMs > 0) sendSlowly(target, planned.response, planned.dripMs);
  else send(target, planned.response);
}

function getHost(request: IncomingMessage): string {
  return (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
}

function getPath(request: IncomingMessage): string {
  return (request.url ?? '/').replace(/[?#].*$/s, '');
}

/**
 * Returns the response to the payment in the request, if the planned response is a challenge. Returns any other planned
 * response unchanged. Without a chain, payments are ignored.
 */
async function planPaidResponse(
  { handlePayment, clock }: EndpointServerOptions,
  { endpoint, item }: Route,
  { request, planned, path }: { request: IncomingMessage; planned: FullResponse; path: string },
): Promise<FullResponse> {
  if (handlePayment === null || planned.response.status !== 402) return planned;
  const state = getStateAt(endpoint.timeline, clock.now());
  const context = endpoint.createChallengeContext(state, { path, id: item });
  const { headers } = request;
  const { response, delayMs } = await handlePayment({ headers, context, challenge: planned.response });
  return { ...planned, response, delayMs: planned.delayMs + delayMs };
}

function hasPayment({ headers }: IncomingMessage): boolean {
  return headers['payment-signature'] !== undefined || headers['x-payment'] !== undefined;
}

/**
 * Creates the HTTPS server of all simulated hosts. The simulated time at the arrival of a request determines the
 * response. The delay of the response passes in real time, even while the clock is stopped.
 */
export function createEndpointServer(options: EndpointServerOptions): Server {
  const route = createRouter(options.endpoints);
  const selectContext = createContextSelector(options);
  const server = createServer(
    {
      ...TLS,
      ...options.certificates.wildcard,
      SNICallback: (host, done) => done(null, selectContext(host)),
    },
    (request, target) => {
      target.sendDate = false;
      const host = getHost(request);
      if (options.receiver.hasHost(host)) {
        options.receiver.receive(host, request).then(
          (response) => send(target, response),
          () => target.destroy(),
        );
        return;
      }
      const path = getPath(request);
      const text = options.files.get(`${host}${path}`);
      if (text !== undefined) {
        send(target, createTextResponse(200, { type: 'text/plain; charset=utf-8', text }));
        return;
      }
      const found = route(host, path);
      if (!found) {
        send(target, NOT_FOUND);
        return;
      }
      const endpointRequest = { method: request.method ?? 'GET', path, id: found.item };
      const planned = planResponse(found.endpoint, endpointRequest, options.clock.now());
      if (planned.transport === 'hang') return;
      if (planned.transport === 'reset' || !hasPayment(request)) {
        setTimeout(execute, planned.delayMs, target, planned, reset);
        return;
      }
      planPaidResponse(options, found, { request, planned, path }).then(
        (paid) => setTimeout(execute, paid.delayMs, target, paid, reset),
        () => send(target, createServerErrorResponse(500)),
      );
    },
  );
  const reset = createConnectionResetter(server);
  // TLS and HTTP errors of clients are expected, because some endpoints have a deliberately invalid certificate. An
  // error closes only the connection of the client that caused it.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}
