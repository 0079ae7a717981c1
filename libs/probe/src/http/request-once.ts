import { createHash } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import {
  getHeaderValues,
  getMethodAfterRedirect,
  isRedirectStatus,
  isRequestableUrl,
  parseRetryAfter,
  type BodyEnd,
} from '@touchstone/common';
import { openSocket, type OpenedSocket } from '../connection/open-socket.ts';
import { isGroupMismatch, secureSocket } from '../connection/secure-socket.ts';
import { resolveHost } from '../dns/resolve-host.ts';
import {
  classifyFailure,
  classifyResponse,
  CLOSED_CODES,
  DEADLINE_CODE,
  toFailure,
} from '../outcome/classify-outcome.ts';
import type {
  BodyDigest,
  DialAddress,
  Probe,
  Phase,
  PhaseTimings,
  RequestFailure,
  TlsFacts,
} from '../types.ts';
import { decodeBody } from './decode-body.ts';
import { exchange, type RawResponse } from './exchange.ts';
import { NO_PHASES, NO_RESPONSE, type RequestContext } from './request-context.ts';

export interface RequestInput {
  /** The target URL before parsing; the probe result contains this text. */
  readonly target: string;
  readonly url: URL;
  readonly method: string;
  /** Maximum duration of the whole request, in milliseconds. */
  readonly totalMs: number;
  /** Body of the request; default an empty JSON object for a method with a body. */
  readonly body?: string;
  /** Header fields of the request in addition to the fields of every request, by their names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True to read the facts about the TLS connection. */
  readonly readsTls?: boolean | undefined;
  /** True to compute the size and the hash of the body. */
  readonly digestsBody?: boolean | undefined;
  /** True when the caller follows redirects. The body of a redirect that can be followed is then not read. */
  readonly followsRedirects?: boolean;
}

interface RequestState {
  readonly input: RequestInput;
  readonly clock: PhaseClock;
  readonly getRemainingMs: () => number;
  /** The TCP connection; null before the connection is open. TLS and HTTP end with the TCP connection. */
  socket: Socket | null;
  remoteAddress: string | null;
  tls: TlsFacts | undefined;
  readonly interimStatuses: number[];
  response: RawResponse | null;
  failure: Probe['failure'];
}

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

function createHeaders(
  { url, headers: extra = {} }: RequestInput,
  userAgent: string,
  body: string | null,
): readonly string[] {
  const headers = ['Host', url.host, 'User-Agent', userAgent];
  // Node's fetch sends the same `Accept` header. A server can choose another body for another value.
  headers.push('Accept', '*/*', 'Accept-Encoding', 'gzip, br, deflate');
  if (body !== null)
    headers.push('Content-Type', 'application/json', 'Content-Length', `${Buffer.byteLength(body)}`);
  headers.push(...Object.entries(extra).flat(), 'Connection', 'close');
  return headers;
}

async function connect(
  state: RequestState,
  { resolver, guard, mayConnect, limits, secureContexts }: RequestContext,
): Promise<Socket> {
  const { clock, getRemainingMs, input } = state;
  const host = input.url.hostname.replace(/^\[|\]$/g, '');
  const resolveMs = Math.min(limits.resolveMs, getRemainingMs());
  const addresses = await resolveHost({ host, resolver, guard, timeoutMs: resolveMs });
  clock.enter('connect');
  const isSecure = input.url.protocol === 'https:';
  const port = input.url.port === '' ? (isSecure ? 443 : 80) : Number(input.url.port);
  const open = async (candidates: readonly DialAddress[]): Promise<OpenedSocket> => {
    const opened = await openSocket(candidates, {
      port,
      timeoutMs: Math.min(limits.connectMs, getRemainingMs()),
      mayConnect: (target) => mayConnect(target, input.url),
    });
    state.socket = opened.socket;
    state.remoteAddress = opened.address.address;
    return opened;
  };
  const { socket, address } = await open(addresses);
  if (!isSecure) return socket;
  clock.enter('tls');
  // A host name may end with a dot, but names in certificates do not.
  const name = host.replace(/\.$/, '');
  const servername = isIP(host) === 0 ? name : '';
  const secure = (tcp: Socket, secureContext: SecureContext): Promise<Socket> => {
    const timeoutMs = Math.min(limits.tlsMs, getRemainingMs());
    const onSecure = (facts: TlsFacts): void => void (state.tls = facts);
    const onFacts = input.readsTls === true ? onSecure : undefined;
    return secureSocket(tcp, { secureContext, host: name, servername, timeoutMs, onSecure: onFacts });
  };
  return secure(socket, secureContexts.classic).catch(async (error: unknown) => {
    if (!isGroupMismatch(error)) throw error;
    const second = await open([address]);
    return secure(second.socket, secureContexts.getDefault());
  });
}

async function perform(state: RequestState, context: RequestContext): Promise<void> {
  const { input, clock, getRemainingMs } = state;
  const socket = await connect(state, context);
  clock.enter('processing');
  const body = METHODS_WITH_BODY.has(input.method) ? (input.body ?? '{}') : null;
  await exchange(socket, {
    method: input.method,
    path: input.url.pathname + input.url.search,
    headers: createHeaders(input, context.userAgent, body),
    body,
    limits: context.limits,
    getRemainingMs,
    onFirstByte: () => clock.enter('transfer'),
    onInterim: (status) => void state.interimStatuses.push(status),
    onHeaders: (response) => {
      state.response = response;
      return {
        needsBody: input.followsRedirects !== true || readRedirectTarget(response, input) === null,
      };
    },
  });
  clock.finish();
}

/** Returns the pause that `Retry-After` requests, in whole seconds, rounded up; null without a valid header. */
function readRetryAfterSeconds(headers: RawResponse['headers'], now: number): number | null {
  const get = (name: string): string | null => getHeaderValues(headers, name)[0] ?? null;
  const pauseMs = parseRetryAfter({ get }, now);
  return pauseMs === null ? null : Math.ceil(pauseMs / 1_000);
}

/** Returns the part of a probe that depends on the received response. */
async function readResponse(
  response: RawResponse,
  { failure, input }: Pick<RequestState, 'failure' | 'input'>,
  { limits, now }: RequestContext,
): Promise<Partial<Probe>> {
  const { status, headers } = response;
  const coding = getHeaderValues(headers, 'content-encoding').join();
  const body = await decodeBody(response.readBody(), coding, limits.bodyBytes);
  // A part of an encoded body need not be decodable.
  const isComplete = response.bodyEnd === 'complete';
  const finalFailure = failure ?? (isComplete ? body.failure : null);
  const bodyEnd = isComplete && body.truncated ? 'size-limit' : response.bodyEnd;
  return {
    outcome: classifyResponse(status, headers, { transfer: failure, decoding: body.failure }),
    httpStatus: status,
    headers,
    body: body.text,
    ...(input.digestsBody === true ? { bodyDigest: digest(body.bytes) } : {}),
    bodyEnd: finalFailure === null ? bodyEnd : toBodyEnd(finalFailure),
    retryAfterSeconds: readRetryAfterSeconds(headers, now()),
    failure: finalFailure,
  };
}

function digest(bytes: Uint8Array): BodyDigest {
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Returns how the body of a response ended that was received only in part or could not be decoded. */
function toBodyEnd({ code }: RequestFailure): BodyEnd {
  if (code === DEADLINE_CODE) return 'deadline';
  return CLOSED_CODES.has(code) ? 'closed' : 'undecodable';
}

/**
 * Sends one request over a new connection: resolves the host, checks its addresses, connects, performs the TLS
 * handshake, sends the request and reads the response. Never rejects: every error is returned as an outcome. An error
 * that the endpoint cannot have caused has the outcome `self-failure`.
 */
export async function requestOnce(input: RequestInput, context: RequestContext): Promise<Probe> {
  const clock = startPhaseClock();
  const getRemainingMs = (): number => input.totalMs - clock.elapsedMs();
  const state: RequestState = {
    input,
    clock,
    getRemainingMs,
    socket: null,
    remoteAddress: null,
    tls: undefined,
    interimStatuses: [],
    response: null,
    failure: null,
  };
  await perform(state, context).catch((error: unknown) => {
    state.failure = toFailure(clock.phase, error);
  });
  state.socket?.destroy();
  const { response, failure } = state;
  const probe: Probe = {
    url: input.target,
    method: input.method,
    outcome: failure === null ? 'self-failure' : classifyFailure(failure),
    phases: clock.phases,
    latencyMs: clock.latencyMs,
    totalMs: clock.elapsedMs(),
    remoteAddress: state.remoteAddress,
    ...(state.tls === undefined ? {} : { tls: state.tls }),
    ...NO_RESPONSE,
    interimStatuses: state.interimStatuses,
    failure,
  };
  return response === null ? probe : { ...probe, ...(await readResponse(response, state, context)) };
}

/** Monotonic clock that measures the consecutive phases of one request. */
interface PhaseClock {
  /** The current phase. */
  readonly phase: Phase;
  readonly phases: PhaseTimings;
  /** Milliseconds from the start of the request to the first byte of the response; null before the first byte. */
  readonly latencyMs: number | null;
  /** Returns the milliseconds since the start of the request. */
  readonly elapsedMs: () => number;
  /** Ends the current phase and starts another phase. */
  readonly enter: (next: Phase) => void;
  /** Ends the last phase, only after success: the duration of a failed phase stays null. */
  readonly finish: () => void;
}

/** Starts a clock in the phase `resolve`. */
function startPhaseClock(): PhaseClock {
  const startedAt = performance.now();
  const phases: Record<Phase, number | null> = { ...NO_PHASES };
  let phase: Phase = 'resolve';
  let phaseStartedAt = startedAt;
  let latencyMs: number | null = null;
  const finish = (): void => {
    const now = performance.now();
    phases[phase] = now - phaseStartedAt;
    phaseStartedAt = now;
  };
  return {
    get phase() {
      return phase;
    },
    get latencyMs() {
      return latencyMs;
    },
    phases,
    elapsedMs: () => performance.now() - startedAt,
    finish,
    enter: (next) => {
      finish();
      phase = next;
      if (next === 'transfer') latencyMs = phaseStartedAt - startedAt;
    },
  };
}

/**
 * Returns the URL to which a response redirects, without fragment. Reads the target as the Fetch standard does
 * (HTTP-redirect fetch). Unlike fetch, a redirect from https to http is refused. A redirect to another host is also
 * refused for methods such as DELETE, which a seller could otherwise let this service send to third parties.
 *
 * @param request the request that received the response
 * @returns null for a response that is no redirect, and for a target that is missing, invalid or refused
 */
export function readRedirectTarget(
  { status, headers }: Pick<RawResponse, 'status' | 'headers'>,
  { url: base, method }: Pick<RequestInput, 'url' | 'method'>,
): URL | null {
  const locations = getHeaderValues(headers, 'location');
  if (!isRedirectStatus(status) || locations.length === 0) return null;
  // Node decodes header fields as Latin-1. Fetch decodes the bytes of this field as UTF-8.
  const url = URL.parse(Buffer.from(locations.join(', '), 'latin1').toString(), base.href);
  if (url === null || !isRequestableUrl(url)) return null;
  if (url.username !== '' || url.password !== '') return null;
  if (base.protocol === 'https:' && url.protocol === 'http:') return null;
  if (url.host !== base.host && !/^(?:GET|POST)$/.test(getMethodAfterRedirect(status, method))) return null;
  url.hash = '';
  return url;
}
