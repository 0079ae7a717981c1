import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { answerTo } from './answer.ts';
import type { Answer } from './answer.ts';
import type { Certificates } from './certificate-store.ts';
import type { Clock } from './clock.ts';
import { connectionResetter } from './connection-reset.ts';
import type { HttpReply } from './http-reply.ts';
import type { Cashier } from './payments/cashier.ts';
import { serverErrorReply, unknownPathReply } from './plain-replies.ts';
import type { Resident } from './resident.ts';
import { createRouter } from './routes.ts';
import type { Route } from './routes.ts';
import type { Behaviour } from './scenario-schema.ts';
import { stateAt } from './timeline.ts';

export interface EndpointServerOptions {
  readonly residents: readonly Resident[];
  readonly certificates: Certificates;
  readonly clock: Clock;
  /** Takes payments; null where there is no chain to pay on: then every request is an unpaid one. */
  readonly cashier: Cashier | null;
}

type CertificateFault = Extract<Behaviour, { kind: 'bad-certificate' }>['fault'];

const DRIP_PIECES = 10;
/** The fastest key exchange first, so that a probe costs little. */
const TLS = { minVersion: 'TLSv1.3', ecdhCurve: 'X25519:P-256' } as const;
const UNKNOWN = unknownPathReply();

/** Chooses a host's certificate at the world's time; few hosts ever show a bad one. */
const certificateChooser = ({ residents, certificates, clock }: EndpointServerOptions) => {
  const good = createSecureContext({ ...TLS, ...certificates.wildcard });
  const bad: Readonly<Record<CertificateFault, SecureContext>> = {
    expired: createSecureContext({ ...TLS, ...certificates.expired }),
    'wrong-host': createSecureContext({ ...TLS, ...certificates.wrongHost }),
    'self-signed': createSecureContext({ ...TLS, ...certificates.selfSigned }),
  };
  const suspects = new Map(
    residents
      .filter(({ timeline }) => timeline.some(({ behaviour }) => behaviour.kind === 'bad-certificate'))
      .map((resident) => [resident.host, resident] as const),
  );
  return (host: string): SecureContext => {
    const suspect = suspects.get(host);
    const behaviour = suspect && stateAt(suspect.timeline, clock.now()).behaviour;
    return behaviour?.kind === 'bad-certificate' ? bad[behaviour.fault] : good;
  };
};

const send = (response: ServerResponse, reply: HttpReply): void => {
  response.writeHead(reply.status, [...reply.headers]);
  response.end(reply.body);
};

/** Sends the headers at once and the body in pieces over a time, in milliseconds. */
const drip = (response: ServerResponse, reply: HttpReply, dripMs: number): void => {
  response.writeHead(reply.status, [...reply.headers]);
  const size = Math.ceil(reply.body.length / DRIP_PIECES);
  let sent = 0;
  const timer = setInterval(() => {
    const piece = reply.body.subarray(sent, sent + size);
    sent += size;
    if (sent < reply.body.length) return void response.write(piece);
    clearInterval(timer);
    response.end(piece);
  }, dripMs / DRIP_PIECES);
  response.flushHeaders();
  response.once('close', () => clearInterval(timer));
};

type ReplyAnswer = Extract<Answer, { transport: 'reply' }>;
type Reset = ReturnType<typeof connectionResetter>;

const perform = (
  response: ServerResponse,
  answer: Exclude<Answer, { transport: 'hang' }>,
  reset: Reset,
): void => {
  if (response.destroyed) return;
  if (answer.transport === 'reset') reset(response.socket?.remotePort ?? 0);
  else if (answer.dripMs > 0) drip(response, answer.reply, answer.dripMs);
  else send(response, answer.reply);
};

const hostOf = (request: IncomingMessage): string =>
  (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').replace(/[?#].*$/s, '');

/** The answer to somebody who pays, where there is a challenge and somebody to take the payment. */
const paidAnswer = async (
  { cashier, clock }: EndpointServerOptions,
  { resident, item }: Route,
  { request, answer, path }: { request: IncomingMessage; answer: ReplyAnswer; path: string },
): Promise<ReplyAnswer> => {
  if (cashier === null || answer.reply.status !== 402) return answer;
  const terms = resident.terms(stateAt(resident.timeline, clock.now()), { path, id: item });
  return { ...answer, reply: await cashier({ headers: request.headers, terms, challenge: answer.reply }) };
};

const isPaid = ({ headers }: IncomingMessage): boolean =>
  headers['payment-signature'] !== undefined || headers['x-payment'] !== undefined;

/**
 * The HTTPS server that all hosts of the world share. What a request meets is decided when it arrives, at the
 * world's time of that moment; the answer then takes its real time.
 */
export const createEndpointServer = (options: EndpointServerOptions): Server => {
  const route = createRouter(options.residents);
  const contextFor = certificateChooser(options);
  const server = createServer(
    { ...TLS, ...options.certificates.wildcard, SNICallback: (host, done) => done(null, contextFor(host)) },
    (request, response) => {
      response.sendDate = false;
      const path = pathOf(request);
      const found = route(hostOf(request), path);
      if (!found) {
        send(response, UNKNOWN);
        return;
      }
      const ask = { method: request.method ?? 'GET', path, item: found.item };
      const answer = answerTo(found.resident, ask, options.clock.now());
      if (answer.transport === 'hang') return;
      if (answer.transport === 'reset' || !isPaid(request)) {
        setTimeout(perform, answer.delayMs, response, answer, reset);
        return;
      }
      paidAnswer(options, found, { request, answer, path }).then(
        (paid) => setTimeout(perform, paid.delayMs, response, paid, reset),
        () => send(response, serverErrorReply(500)),
      );
    },
  );
  const reset = connectionResetter(server);
  // A client that dislikes a certificate or speaks no TLS is part of the play.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
};
