import type { Probe, Prober } from '@touchstone/probe';
import { type Challenge, type ChallengeResponse, readChallenge, readFailedRequest } from '@touchstone/x402';
import { CliError } from '../command-tools.ts';
import type { Network } from '../network/open-network.ts';
import type { LintResult } from './lint-result.ts';
import {
  createMethodNotes,
  createPlaceholderNotes,
  createTlsNote,
  describeIncompleteBody,
  describeMissingResponse,
  describeUndetermined,
  findFailureFix,
  findRetryAfter,
  type ProbedMethods,
} from './notes.ts';

/** Host name that resolves on every machine with internet access. A machine that cannot resolve the name is offline. */
const CONTROL_NAME = 'example.com';
const CONTROL_TIMEOUT_MS = 8_000;

interface LintEndpointOptions {
  readonly url: URL;
  /** HTTP method to use. If undefined, GET is tried, and then POST. */
  readonly method: string | undefined;
  /** Current time in milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Sends unpaid requests to an endpoint and lints the response. Requests a challenge twice, to check that its payment
 * terms stay the same.
 *
 * @throws CliError when the endpoint was not checked: its address is not allowed, or the request failed on this machine
 */
export async function lintEndpoint(
  { url, method, now }: LintEndpointOptions,
  network: Network,
): Promise<LintResult> {
  const probes = await probeMethods(url.href, method, network.prober);
  const probe = probes.selected;
  await assertRequestSent(probe, network);
  const failureReason = describeMissingResponse(probe);
  const retryAfter = findRetryAfter(probe.headers);
  const common = { url: url.href, method: probe.method, failureReason, retryAfter };
  if (failureReason !== null || probe.httpStatus === null) {
    const failed = readFailedRequest(url.href, failureReason ?? probe.outcome);
    const challenge = replaceFix(failed, findFailureFix(probe));
    return { ...common, status: null, notes: createNotes(probes, null), challenge };
  }
  const secondResponse = await requestAgain(probe, network);
  const response = toChallengeResponse(probe, probe.httpStatus);
  const challenge = readChallenge(response, { secondResponse, receivedAt: now });
  const isUndetermined = challenge.verdict === 'undetermined';
  const advice = isUndetermined ? describeUndetermined(probe.httpStatus, probe.headers, now) : null;
  return { ...common, status: probe.httpStatus, notes: createNotes(probes, advice), challenge };
}

function createNotes(probes: ProbedMethods, advice: string | null): string[] {
  const { selected } = probes;
  return [
    describeIncompleteBody(selected),
    ...createMethodNotes(probes),
    advice,
    createTlsNote(selected.failure),
    ...createPlaceholderNotes(selected.url),
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
async function requestAgain(probe: Probe, { prober }: Network): Promise<ChallengeResponse | undefined> {
  if (probe.outcome !== 'challenged') return undefined;
  const second = await prober({ url: probe.url, methods: [probe.method] });
  return second.outcome === 'challenged' ? toChallengeResponse(second, probe.httpStatus ?? 0) : undefined;
}

function toChallengeResponse(
  { url, method, headers, body, bodyTruncated }: Probe,
  status: number,
): ChallengeResponse {
  return { url, method, status, headers, body, bodyTruncated };
}

/** Throws when the request failed on this machine, because such a failure is no fault of the endpoint. */
async function assertRequestSent(probe: Probe, network: Network): Promise<void> {
  const { outcome, failure } = probe;
  const reason = failure === null ? outcome : failure.message;
  if (outcome === 'self-failure')
    throw new CliError(`This machine could not send the request: ${reason}. The endpoint was not checked.`);
  if (outcome === 'refused-address') {
    throw new CliError(`${reason}. Use --allow-private to connect to your own machine or network.`);
  }
  if (failure?.phase !== 'resolve' || !network.isInternet) return;
  if (new URL(probe.url).hostname.endsWith('.test')) {
    throw new CliError(
      `${reason}. Names under .test do not exist on the internet. For names of the sandbox, use --sandbox.`,
    );
  }
  // If this machine is offline, some resolvers report that every name does not exist. So `isOffline` resolves a name
  // that certainly exists.
  if (await isOffline(network))
    throw new CliError(`This machine cannot resolve host names: ${reason}. The endpoint was not checked.`);
}

async function isOffline({ resolver }: Network): Promise<boolean> {
  try {
    return (await resolver(CONTROL_NAME, AbortSignal.timeout(CONTROL_TIMEOUT_MS))).length === 0;
  } catch {
    return true;
  }
}

/** Statuses that may mean only that the HTTP method is wrong. */
const METHOD_STATUSES: ReadonlySet<number | null> = new Set([404, 405, 501]);
/** Statuses after which another method is tried. A request without parameters can cause 400, 415 or 422. */
const TRY_NEXT_STATUSES: ReadonlySet<number | null> = new Set([...METHOD_STATUSES, 400, 415, 422]);

/**
 * Probes an endpoint without paying: with GET, and then with POST when GET may be the wrong method.
 *
 * @param method HTTP method to use; if undefined, GET is tried, and then POST
 */
export async function probeMethods(
  url: string,
  method: string | undefined,
  prober: Prober,
): Promise<ProbedMethods> {
  const first = await prober({ url, methods: [method ?? 'GET'] });
  if (method !== undefined || !TRY_NEXT_STATUSES.has(first.httpStatus))
    return { selected: first, other: null };
  const second = await prober({ url, methods: ['POST'] });
  return isMoreInformative(second, first)
    ? { selected: second, other: first }
    : { selected: first, other: second };
}

/** Compares two probes with different methods. The first probe has one of `TRY_NEXT_STATUSES`. */
function isMoreInformative(second: Probe, first: Probe): boolean {
  // The second response reports neither a wrong method nor a server error, so the endpoint expects POST.
  if (second.httpStatus !== null && second.httpStatus < 500 && !TRY_NEXT_STATUSES.has(second.httpStatus))
    return true;
  // A client error for GET means that GET is the right method but the request is incomplete. That is more informative
  // than the second response.
  if (first.outcome === 'client-error') return false;
  if (second.outcome === 'not-found') return false;
  return second.outcome !== 'method-mismatch' || first.outcome === 'not-found';
}
