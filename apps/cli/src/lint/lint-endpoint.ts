import type { Probe } from '@touchstone/probe';
import {
  type Challenge,
  type ChallengeResponse,
  readChallenge,
  readDeclaredMethod,
  readFailedRequest,
} from '@touchstone/x402';
import { CliError } from '../command-tools.ts';
import type { Network } from '../network/open-network.ts';
import type { LintResult } from './lint-result.ts';
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
} from './notes.ts';

/** Host name that resolves on every machine with internet access. A machine that cannot resolve the name is offline. */
const CONTROL_NAME = 'example.com';
const CONTROL_TIMEOUT_MS = 8_000;

/** HTTP methods that are tried in this order, until a response shows that the method is right. */
const DEFAULT_METHODS: readonly string[] = ['GET', 'POST'];

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
  const methods = method === undefined ? DEFAULT_METHODS : [method];
  const probe =
    method === undefined
      ? await requestByDefault(url, network)
      : await network.prober({ url: url.href, methods });
  await assertRequestSent(probe, network);
  const failureReason = describeMissingResponse(probe);
  const retryAfter = findRetryAfter(probe.headers);
  const { redirects } = probe;
  const common = { url: url.href, method: probe.method, redirects, failureReason, retryAfter };
  if (failureReason !== null || probe.httpStatus === null) {
    const failed = readFailedRequest(url.href, failureReason ?? probe.outcome);
    const challenge = replaceFix(failed, findFailureFix(probe));
    return {
      ...common,
      status: null,
      notes: createNotes(probe, methods, { advice: null, isEnvelope: false }),
      challenge,
    };
  }
  const secondResponse = await requestAgain(probe, network);
  const response = { ...probe, status: probe.httpStatus };
  const challenge = readChallenge(response, {
    secondResponse,
    receivedAt: now,
    declaredMethod: probe.declaredMethod,
  });
  const isUndetermined = challenge.verdict === 'undetermined';
  const advice = isUndetermined ? describeUndetermined(probe.httpStatus, probe.headers, now) : null;
  const notes = createNotes(probe, methods, { advice, isEnvelope: challenge.version !== null });
  return { ...common, status: probe.httpStatus, notes, challenge };
}

/**
 * Requests an endpoint with the default methods. Also requests POST if GET is free, because many pages respond to GET
 * with a description of an endpoint that requires payment for POST.
 */
async function requestByDefault(url: URL, { prober }: Network): Promise<Probe> {
  const probe = await prober({ url: url.href, methods: DEFAULT_METHODS, readDeclaredMethod });
  if (probe.outcome !== 'free' || probe.method !== 'GET') return probe;
  const post = await prober({ url: url.href, methods: ['POST'], readDeclaredMethod });
  return post.outcome === 'challenged' ? post : probe;
}

/** Facts on the checked response from which its notes follow. */
interface ResponseFacts {
  readonly advice: string | null;
  /** True for a response with a payment envelope, whose method is therefore right. */
  readonly isEnvelope: boolean;
}

function createNotes(
  probe: Probe,
  methods: readonly string[],
  { advice, isEnvelope }: ResponseFacts,
): string[] {
  return [
    probe.httpStatus === null ? null : createRedirectNote(probe.redirects),
    createMethodNote(probe, methods),
    describeIncompleteBody(probe),
    isEnvelope ? null : findMethodHint(probe, methods),
    advice,
    createTlsNote(probe.failure),
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
async function requestAgain(probe: Probe, { prober }: Network): Promise<ChallengeResponse | undefined> {
  if (probe.outcome !== 'challenged') return undefined;
  const second = await prober({ url: probe.url, methods: [probe.method] });
  return second.outcome === 'challenged' ? { ...second, status: probe.httpStatus ?? 0 } : undefined;
}

/** Throws when the request failed on this machine, because such a failure is no fault of the endpoint. */
async function assertRequestSent(probe: Probe, network: Network): Promise<void> {
  const { outcome, failure, redirects } = probe;
  const reason = failure === null ? outcome : failure.message;
  if (outcome === 'self-failure')
    throw new CliError(`This machine could not send the request: ${reason}. The endpoint was not checked.`);
  // The target of a redirect is the choice of the endpoint. Clients cannot reach it, either.
  if (outcome === 'refused-address' && redirects.length === 0) {
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
