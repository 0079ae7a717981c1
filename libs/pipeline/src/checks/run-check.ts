import { canonicalize, type CanonicalResource } from '@touchstone/catalog';
import {
  checkEndpoint,
  createCheckFacts,
  createRepairFacts,
  NotCheckedError,
  type Advice,
  type CheckFacts,
  type CheckNetwork,
} from '@touchstone/check';
import { MAX_RESOURCE_CHARS } from '@touchstone/common';
import { decide, toPolicy, type Summary } from '@touchstone/guard';
import { CONNECTION_LIMIT_CODE, type Prober } from '@touchstone/probe';
import type { KeptCheck } from '@touchstone/store';
import { processRateLimiter } from '../host-rate-limiter.ts';
import {
  createInvalidUrl,
  createLimited,
  createOperationProblem,
  InvalidRequestError,
  type OperationProblem,
} from '../problem.ts';
import { getSharedCanaryCheck } from '../probing/self-inflicted-failures.ts';
import type { ReportContext } from '../reports/report-context.ts';
import { createEndpointSummary } from '../summaries/create-endpoint-summary.ts';

export type CheckProblem = OperationProblem<
  'invalid-request' | 'not-probeable' | 'rate-limited' | 'internal'
>;

/** Result of a check, or the reason why the endpoint was not checked. */
export type CheckOutcome = { readonly kind: 'result'; readonly body: KeptCheck } | CheckProblem;

/** Words for the next step on the page and in the API. */
const ADVICE: Advice = {
  checkSaved: 'and check it with touchstone lint --file',
  chooseMethod: (method) => `choose the method ${method}`,
  trustAuthority: null,
};

/** Maximum wait for the rate limiter of the host before each request, in milliseconds. */
const MAX_RATE_LIMIT_WAIT_MS = 3_000;

/** URL to check, in the form of the request without its fragment, and its form in the catalog. */
export interface CheckTarget {
  readonly url: URL;
  readonly canonical: CanonicalResource;
  /** Requested method; null if the check chooses the method. */
  readonly method: string | null;
}

/** Reads the URL of a request for a check. Returns a problem for a URL that cannot be an endpoint. */
export function readTarget(resource: string, method: string | null): CheckTarget | CheckProblem {
  const canonical = canonicalize(resource);
  if (!canonical.ok)
    return canonical.about === 'url'
      ? createInvalidUrl(canonical.reason)
      : createOperationProblem('not-probeable', `It cannot be checked: ${canonical.reason}.`);
  const url = new URL(resource);
  url.hash = '';
  if (url.href.length > MAX_RESOURCE_CHARS)
    return createInvalidUrl(`the percent-encoded URL is longer than ${MAX_RESOURCE_CHARS} characters`);
  return { url, canonical, method };
}

/** Error of a check whose host or address allows no further request at present. */
class HostLimitError extends Error {
  override readonly name = 'HostLimitError';
}

/**
 * Checks an endpoint live. Nothing is stored. The requests wait for the rate limiter of the host, and a failure of this
 * service is no fault of the endpoint.
 */
export async function runCheck(
  context: ReportContext,
  { url, canonical, method }: CheckTarget,
): Promise<CheckOutcome> {
  const now = context.now();
  const network: CheckNetwork = {
    prober: createLimitedProber(context, canonical.host),
    isOffline: context.hostSuffix === null ? getSharedCanaryCheck(context.canaries) : null,
  };
  try {
    const options = { url, method: method ?? undefined, now, advice: ADVICE };
    const result = await checkEndpoint(options, network);
    const facts = createCheckFacts(result, now);
    const check = {
      ...facts,
      ...(await judgeAsPayer(context, facts)),
      checkPage: formatPage(context, url, method),
    };
    return { kind: 'result', body: { check, repair: toKeptRepair(createRepairFacts(result)) } };
  } catch (error) {
    if (error instanceof HostLimitError) return HOST_BUSY;
    if (error instanceof NotCheckedError) return toProblem(error);
    throw error;
  }
}

const HOST_BUSY = createLimited(
  'The host asked for a pause, or the rate limit of the host or of its address is exhausted, so the endpoint was not checked.',
  60,
);

/**
 * Returns a prober whose requests wait for the rate limiter of a host, and update the pause of the host. The pauses of
 * paid reports are respected, but not changed.
 */
function createLimitedProber(
  {
    checkNetwork: { prober, rateLimiter },
    rateLimiter: reportLimiter = processRateLimiter,
    now,
  }: ReportContext,
  host: string,
): Prober {
  return async (target) => {
    const signal = AbortSignal.timeout(MAX_RATE_LIMIT_WAIT_MS);
    const isPaused = [rateLimiter, reportLimiter].some((each) => each.getPausedUntil(host, now()) !== null);
    if (isPaused || !(await rateLimiter.acquire({ host, isUrgent: false, signal })))
      throw new HostLimitError();
    const probe = await prober(target);
    if (probe.failure?.code === CONNECTION_LIMIT_CODE) throw new HostLimitError();
    rateLimiter.recordResponse(host, probe, now());
    return probe;
  };
}

function toProblem({ kind, message }: NotCheckedError): CheckOutcome {
  return kind === 'offline' || kind === 'self-failure'
    ? createOperationProblem(
        'internal',
        'The endpoint was not checked, because this service could not send its requests. Send the request again in a minute.',
      )
    : createOperationProblem('not-probeable', `It cannot be checked: ${message}.`);
}

type Repair = ReturnType<typeof createRepairFacts>;

/** Returns the repair with lists that JSON can hold. */
function toKeptRepair(repair: Repair): KeptCheck['repair'] {
  if (repair === null) return null;
  const { route, repairs, recognizedStack } = repair;
  const [first, ...others] = route.options;
  const copy = (option: typeof first) => ({ ...option, remarks: [...option.remarks] });
  return {
    route: { ...route, options: [copy(first), ...others.map(copy)], remarks: [...route.remarks] },
    ...{ repairs: [...repairs], recognizedStack },
  };
}

/** Returns the URL of the page of a check. */
function formatPage({ baseUrl }: ReportContext, { href }: URL, method: string | null): string {
  const query = new URLSearchParams({ url: href, ...(method === null ? {} : { method }) });
  return new URL(`/check?${query.toString()}`, baseUrl).href;
}

type PayerFacts = Pick<KeptCheck['check'], 'directories' | 'guard'>;

/** Maximum number of directories in a check. */
const MAX_DIRECTORIES = 20;

/** Returns what the catalog knows about a URL, and the decision of the guard on a payment with its first option. */
async function judgeAsPayer(context: ReportContext, facts: CheckFacts): Promise<PayerFacts> {
  const [option] = facts.options;
  const summary = await readSummary(context, facts.resource, option);
  const { endpoint, match } = summary;
  const listing = match === 'exact' ? endpoint : null;
  const directories = listing && {
    endpointPage: listing.endpointPage,
    status: listing.listing.status,
    names: listing.listing.directories.slice(0, MAX_DIRECTORIES),
    delistedAt: listing.listing.delistedAt,
  };
  const { payTo, network } = summary.requested;
  if (option === undefined || option.amount === null || payTo === null || network === null)
    return { directories, guard: null };
  const statement: Summary = { ...summary, requested: { ...summary.requested, payTo, network } };
  const { action, reasons } = decide({
    payment: { url: facts.resource, ...option, amount: option.amount },
    lookup: { summary: statement, source: 'summary' },
    policy: toPolicy(),
    now: context.now(),
  });
  return { directories, guard: { decision: action, reasons: reasons.map(({ message }) => message) } };
}

async function readSummary(
  context: ReportContext,
  resource: string,
  option: CheckFacts['options'][number] | undefined,
) {
  const read = (wallet: { readonly payTo: string | null; readonly network: string | null }) =>
    createEndpointSummary(context, { resource, endpointId: null, ...wallet });
  const none = { payTo: null, network: null };
  const summary = await read(option ?? none).catch((error: unknown) => {
    // The network of the option is unknown. All other values were checked before.
    if (error instanceof InvalidRequestError) return read(none);
    throw error;
  });
  if (summary === null) throw new TypeError('A request by URL always has a summary.');
  return summary;
}
