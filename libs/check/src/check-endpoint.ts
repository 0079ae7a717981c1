import type { Redirect } from '@touchstone/common';
import type { Probe, Prober, RequestFailure, Resolver } from '@touchstone/probe';
import {
  type Challenge,
  type ChallengeResponse,
  readChallenge,
  readDeclaredMethod,
  readFailedRequest,
} from '@touchstone/x402';
import {
  createMethodNote,
  createPlaceholderNotes,
  createRedirectNote,
  createTlsNote,
  describeIncompleteBody,
  describeMissingResponse,
  describeUndetermined,
  findFailureFix,
  findMethodHint,
  findRetryAfter,
  type Advice,
} from './notes.ts';

/** Host name that resolves on every machine with internet access. A machine that cannot resolve the name is offline. */
const CONTROL_NAME = 'example.com';
const CONTROL_TIMEOUT_MS = 8_000;

/** HTTP methods that are tried in this order, until a response shows that the method is right. */
const DEFAULT_METHODS: readonly string[] = ['GET', 'POST'];

/** Network over which an endpoint is requested. */
export interface CheckNetwork {
  readonly prober: Prober;
  /**
   * Resolves to true if a request failed because this machine has no network. Null for the sandbox, which needs no
   * network.
   */
  readonly isOffline: ((failure: RequestFailure) => Promise<boolean>) | null;
}

interface CheckOptions {
  readonly url: URL;
  /** HTTP method to use. If undefined, GET is tried, and then POST. */
  readonly method: string | undefined;
  /** Current time in milliseconds since the epoch. */
  readonly now: number;
  /** Words for the next step of the user. */
  readonly advice: Advice;
}

/** Result of checking one response or one failed request. */
export interface CheckResult {
  readonly url: string;
  /** Method of the request, in capitals; null when a saved response does not name it. */
  readonly method: string | null;
  /** Redirects that were followed to the response, in order. */
  readonly redirects: readonly Redirect[];
  /** Status of the response; null without a response. */
  readonly status: number | null;
  /** Reason why there is no response; null with a response. */
  readonly failureReason: string | null;
  /** Value of the Retry-After header; null if the response has no such header. */
  readonly retryAfter: string | null;
  /** Advice on a response that does not show the payment terms, which is also one of the notes; null for any other. */
  readonly hint: string | null;
  /** Notes for the user: further facts about the requests, and advice. Each note is one sentence. */
  readonly notes: readonly string[];
  readonly challenge: Challenge;
  /** Checked response; null without a response. */
  readonly response: ChallengeResponse | null;
}

/** Reason why an endpoint was not checked, which is no fault of the endpoint. */
export class NotCheckedError extends Error {
  override readonly name = 'NotCheckedError';
  /** `refused-address`: the address guard refused the address. `unknown-name`: a name of the sandbox. */
  readonly kind: 'self-failure' | 'refused-address' | 'unknown-name' | 'offline';

  constructor(kind: NotCheckedError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Sends unpaid requests to an endpoint and checks the response by all rules. Requests a challenge twice, to check that
 * its payment terms stay the same.
 *
 * @returns the result, and the first request with its durations
 * @throws NotCheckedError when the endpoint was not checked: its address is not allowed, or the request failed on this
 *   machine
 */
export async function checkEndpoint(
  { url, method, now, advice }: CheckOptions,
  network: CheckNetwork,
): Promise<CheckResult & { readonly probe: Probe }> {
  const methods = method === undefined ? DEFAULT_METHODS : [method];
  const probe =
    method === undefined
      ? await requestByDefault(url, network)
      : await network.prober({ url: url.href, methods, readsTls: true });
  await assertRequestSent(probe, network);
  const failureReason = describeMissingResponse(probe);
  const retryAfter = findRetryAfter(probe.headers);
  const { redirects } = probe;
  const common = { url: url.href, method: probe.method, redirects, failureReason, retryAfter, probe };
  if (failureReason !== null || probe.httpStatus === null) {
    const failed = readFailedRequest(url.href, failureReason ?? probe.outcome);
    const challenge = replaceFix(failed, findFailureFix(probe));
    const notes = createNotes(probe, methods, { hint: null, isEnvelope: false, advice });
    return { ...common, status: null, response: null, hint: null, notes, challenge };
  }
  const secondResponse = await requestAgain(probe, network);
  const response = { ...probe, status: probe.httpStatus };
  const challenge = readChallenge(response, {
    secondResponse,
    receivedAt: now,
    declaredMethod: probe.declaredMethod,
  });
  const isUndetermined = challenge.verdict === 'undetermined';
  const hint = isUndetermined ? describeUndetermined(probe.httpStatus, probe.headers, { now, advice }) : null;
  const notes = createNotes(probe, methods, { hint, isEnvelope: challenge.version !== null, advice });
  return { ...common, status: probe.httpStatus, response, hint, notes, challenge };
}

/**
 * Requests an endpoint with the default methods. Also requests POST if GET is free, because many pages respond to GET
 * with a description of an endpoint that requires payment for POST.
 */
async function requestByDefault(url: URL, { prober }: CheckNetwork): Promise<Probe> {
  const probe = await prober({
    url: url.href,
    methods: DEFAULT_METHODS,
    readDeclaredMethod,
    readsTls: true,
  });
  if (probe.outcome !== 'free' || probe.method !== 'GET') return probe;
  const post = await prober({ url: url.href, methods: ['POST'], readDeclaredMethod, readsTls: true });
  return post.outcome === 'challenged' ? post : probe;
}

/** Facts on the checked response from which its notes follow. */
interface ResponseFacts {
  readonly hint: string | null;
  /** True for a response with a payment envelope, whose method is therefore right. */
  readonly isEnvelope: boolean;
  readonly advice: Advice;
}

function createNotes(
  probe: Probe,
  methods: readonly string[],
  { hint, isEnvelope, advice }: ResponseFacts,
): string[] {
  return [
    probe.httpStatus === null ? null : createRedirectNote(probe.redirects),
    createMethodNote(probe, methods),
    describeIncompleteBody(probe),
    isEnvelope ? null : findMethodHint(probe, methods, advice),
    hint,
    createTlsNote(probe.failure, advice),
    ...createPlaceholderNotes(probe.url),
  ].filter((note) => note !== null);
}

/** Replaces the general fix of the failed check by a specific fix. If `fix` is null, the general fix stays. */
function replaceFix(challenge: Challenge, fix: string | null): Challenge {
  if (fix === null) return challenge;
  const checks = challenge.checks.map((check) => (check.result === 'fail' ? { ...check, fix } : check));
  return { ...challenge, checks };
}

/**
 * Requests a challenge again. A second response without a challenge is ignored, because it usually comes from a rate
 * limit.
 */
async function requestAgain(probe: Probe, { prober }: CheckNetwork): Promise<ChallengeResponse | undefined> {
  if (probe.outcome !== 'challenged') return undefined;
  const second = await prober({ url: probe.url, methods: [probe.method] });
  return second.outcome === 'challenged' ? { ...second, status: probe.httpStatus ?? 0 } : undefined;
}

/** Throws when the request failed on this machine, because such a failure is no fault of the endpoint. */
async function assertRequestSent(probe: Probe, network: CheckNetwork): Promise<void> {
  const { outcome, failure, redirects } = probe;
  const reason = failure === null ? outcome : failure.message;
  if (outcome === 'self-failure')
    throw new NotCheckedError('self-failure', `This machine could not send the request: ${reason}`);
  // The target of a redirect is the choice of the endpoint. Clients cannot reach it, either.
  if (outcome === 'refused-address' && redirects.length === 0)
    throw new NotCheckedError('refused-address', reason);
  if (failure === null || probe.httpStatus !== null || network.isOffline === null) return;
  if (failure.phase === 'resolve' && new URL(probe.url).hostname.endsWith('.test'))
    throw new NotCheckedError('unknown-name', reason);
  if (await network.isOffline(failure))
    throw new NotCheckedError('offline', `This machine has no network: ${reason}`);
}

/**
 * Creates a check if a name was not resolved because this machine is offline. Some resolvers then report that every name
 * does not exist. So the check resolves a name that certainly exists. Other failures are not checked, because an endpoint
 * on this machine needs no network.
 */
export function createOfflineCheck(resolver: Resolver): (failure: RequestFailure) => Promise<boolean> {
  return async ({ phase }) => {
    if (phase !== 'resolve') return false;
    try {
      return (await resolver(CONTROL_NAME, AbortSignal.timeout(CONTROL_TIMEOUT_MS))).length === 0;
    } catch {
      return true;
    }
  };
}
