import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { classifyFailure } from '../outcome/classify-failure.ts';
import { classifyStatus } from '../outcome/classify-status.ts';
import { decodeBody } from './decode-body.ts';
import { exchange } from './exchange.ts';
import type { RawResponse } from './exchange.ts';
import { toFailure } from '../outcome/failure.ts';
import { openSocket, secureSocket } from '../connection/open-socket.ts';
import { startPhaseClock } from '../connection/phase-clock.ts';
import type { PhaseClock } from '../connection/phase-clock.ts';
import { readRetryAfter } from './read-retry-after.ts';
import { resolveHost } from '../dns/resolve-host.ts';
import type { Probe, ProbeLimits, Resolver } from '../types.ts';

export interface ProbeContext {
  readonly resolver: Resolver;
  readonly guard: (address: string) => string | null;
  readonly secureContext: SecureContext;
  readonly userAgent: string;
  readonly limits: ProbeLimits;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface RequestInput {
  /** The target as it was given, for the record. */
  readonly target: string;
  readonly url: URL;
  readonly method: string;
  /** Milliseconds for the whole request. */
  readonly totalMs: number;
}

interface Run {
  readonly order: RequestInput;
  readonly clock: PhaseClock;
  readonly leftMs: () => number;
  /** The TCP connection; what runs over it closes with it. */
  socket: Socket | null;
  remoteAddress: string | null;
  answer: RawResponse | null;
  failure: Probe['failure'];
}

const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

function requestHeaders(url: URL, userAgent: string, body: string | null): readonly string[] {
  const headers = ['Host', url.host, 'User-Agent', userAgent];
  headers.push('Accept', 'application/json, */*;q=0.5', 'Accept-Encoding', 'gzip, br, deflate');
  if (body !== null) headers.push('Content-Type', 'application/json', 'Content-Length', `${body.length}`);
  headers.push('Connection', 'close');
  return headers;
}

async function connect(run: Run, { resolver, guard, limits, secureContext }: ProbeContext): Promise<Socket> {
  const { clock, leftMs, order } = run;
  const host = order.url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await resolveHost({ host, resolver, guard, ms: Math.min(limits.resolveMs, leftMs()) });
  clock.enter('connect');
  const isSecure = order.url.protocol === 'https:';
  const port = order.url.port === '' ? (isSecure ? 443 : 80) : Number(order.url.port);
  const opened = await openSocket(addresses, port, Math.min(limits.connectMs, leftMs()));
  run.socket = opened.socket;
  run.remoteAddress = opened.address;
  if (!isSecure) return opened.socket;
  clock.enter('tls');
  // A trailing dot belongs to the name in the URL, not to the name in a certificate.
  const name = host.replace(/\.$/, '');
  const servername = isIP(host) === 0 ? name : '';
  const ms = Math.min(limits.tlsMs, leftMs());
  return secureSocket(opened.socket, { secureContext, host: name, servername, ms });
}

async function perform(run: Run, tools: ProbeContext): Promise<void> {
  const { order, clock, leftMs } = run;
  const socket = await connect(run, tools);
  clock.enter('processing');
  const body = methodsWithBody.has(order.method) ? '{}' : null;
  await exchange(socket, {
    method: order.method,
    path: order.url.pathname + order.url.search,
    headers: requestHeaders(order.url, tools.userAgent, body),
    body,
    limits: tools.limits,
    leftMs,
    onFirstByte: () => clock.enter('transfer'),
    onHeaders: (answer) => {
      run.answer = answer;
    },
  });
  clock.finish();
}

async function readAnswer(
  answer: RawResponse | null,
  { limits, now }: ProbeContext,
): Promise<Partial<Probe>> {
  if (answer === null) return {};
  const { status, headers, raw, cut } = answer;
  const encodings = headers.filter(([name]) => name.toLowerCase() === 'content-encoding');
  const body = await decodeBody(
    Buffer.concat(raw),
    encodings.map(([, value]) => value).join(),
    limits.bodyBytes,
  );
  return {
    outcome: classifyStatus(status, headers),
    httpStatus: status,
    headers,
    body: body.text,
    bodyTruncated: cut || body.truncated,
    retryAfterSeconds: readRetryAfter(headers, now()),
    failure: body.failure,
  };
}

/**
 * Sends one unpaid request on a connection of its own: resolve, check the address, connect, shake hands, ask,
 * read. Never rejects: every error becomes an outcome, one without a cause outside becomes `self-failure`.
 */
export async function requestOnce(order: RequestInput, tools: ProbeContext): Promise<Probe> {
  const clock = startPhaseClock();
  const leftMs = (): number => order.totalMs - clock.elapsedMs();
  const run: Run = { order, clock, leftMs, socket: null, remoteAddress: null, answer: null, failure: null };
  await perform(run, tools).catch((error: unknown) => {
    run.failure = toFailure(clock.phase, error);
  });
  run.socket?.destroy();
  const totalMs = clock.elapsedMs();
  const read = await readAnswer(run.answer, tools);
  const base: Probe = {
    url: order.target,
    method: order.method,
    outcome: 'self-failure',
    httpStatus: null,
    phases: clock.phases,
    latencyMs: clock.latencyMs,
    totalMs,
    headers: [],
    body: null,
    bodyTruncated: false,
    remoteAddress: run.remoteAddress,
    retryAfterSeconds: null,
    failure: null,
  };
  const probe = { ...base, ...read };
  if (run.failure === null) return probe;
  return {
    ...probe,
    outcome: classifyFailure(run.failure),
    failure: run.failure,
    bodyTruncated: run.answer !== null,
  };
}
