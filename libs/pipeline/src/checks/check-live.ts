import { getSharedUntil } from '@touchstone/check';
import { createPurchaseQueue } from '@touchstone/payment';
import {
  findCheck,
  KEPT_CHECK_MS,
  refusesChecks,
  storeCheck,
  type Db,
  type KeptCheck,
} from '@touchstone/store';
import { limitCalls } from '../limit-calls.ts';
import { createLimited, createOperationProblem } from '../problem.ts';
import type { ReportContext } from '../reports/report-context.ts';
import { readTarget, runCheck, type CheckOutcome, type CheckProblem, type CheckTarget } from './run-check.ts';

/** Request for a check. */
export interface CheckRequest {
  /** URL in any spelling. */
  readonly resource: string;
  /** HTTP method; null to try GET and then POST. */
  readonly method: string | null;
  /** Client that sent the request, such as an IP address. */
  readonly client: string;
}

/** Maximum number of checks of one host in `HOST_WINDOW_SECONDS`. A check sends about four requests, at most 24. */
const MAX_CHECKS_PER_HOST = 10;
const HOST_WINDOW_SECONDS = 60;

/**
 * Limits of all checks of a process. A check of an endpoint that does not respond takes up to 30 seconds. Slots are given
 * to clients in rotation, so a client with slow endpoints delays only the client's own checks.
 */
const QUEUE_LIMITS = { maxSlots: 8, maxSlotsPerClient: 2, maxPurchases: 48, maxPurchasesPerClient: 6 };

const BUSY = createLimited('Too many checks are waiting.', 10);
const PAUSED =
  'The sandbox simulates its past at present, so no request was sent. Send the request again in a few minutes.';
const REMOVED =
  'The provider of this endpoint asked this service to send it no requests. Check it with touchstone lint.';

/** Checks endpoints live, shares results, and limits the requests. */
export interface CheckService {
  readonly check: (request: CheckRequest) => Promise<CheckOutcome>;
}

/**
 * Creates the checks of a process. Requests for the same URL and method share a check that runs, and a result is returned
 * again until `getSharedUntil`. A check changes no other table than that of the kept results.
 */
export function createCheckService(context: ReportContext): CheckService {
  const queue = createPurchaseQueue(QUEUE_LIMITS);
  const running = new Map<string, Promise<CheckOutcome>>();

  const share = (target: CheckTarget, client: string): Promise<CheckOutcome> => {
    const key = `${target.method ?? ''} ${target.url.href}`;
    const start = (): Promise<CheckOutcome> => {
      const task = checkAndKeep(context, target).finally(() => running.delete(key));
      running.set(key, task);
      return task;
    };
    // A check that waits is not shared, because it waits for other checks of its client.
    return running.get(key) ?? queue.run(client, () => running.get(key) ?? start()) ?? Promise.resolve(BUSY);
  };

  return {
    check: async ({ resource, method, client }) => {
      const target = readTarget(resource, method);
      if ('kind' in target) return target;
      const kept = await findKept(context.db, target, context.now());
      const isShared = kept !== null && context.now() < getSharedUntil(kept.check);
      return isShared ? { kind: 'result', body: kept } : share(target, client);
    },
  };
}

/** Returns the kept result of the latest check of a URL, at most one day old; null without one. Sends no request. */
export async function findKeptCheck(
  db: Db,
  { resource, method, now }: Pick<CheckRequest, 'resource' | 'method'> & { readonly now: number },
): Promise<KeptCheck | null> {
  const target = readTarget(resource, method);
  return 'kind' in target ? null : findKept(db, target, now);
}

const findKept = (db: Db, target: CheckTarget, now: number): Promise<KeptCheck | null> =>
  findCheck(db, toKey(target), now - KEPT_CHECK_MS);

const toKey = ({ url, method }: CheckTarget) => ({ resource: url.href, method });

async function checkAndKeep(context: ReportContext, target: CheckTarget): Promise<CheckOutcome> {
  const refusal = await findRefusal(context, target);
  if (refusal !== null) return refusal;
  const outcome = await runCheck(context, target);
  if (outcome.kind === 'result') await storeCheck(context.db, toKey(target), outcome.body);
  return outcome;
}

/** Returns the reason why an endpoint must not be checked now; null if it may be checked. */
async function findRefusal(
  { db, hostSuffix, mayProbe, now }: ReportContext,
  { canonical: { id, host } }: CheckTarget,
): Promise<CheckProblem | null> {
  if (hostSuffix !== null && !host.endsWith(hostSuffix))
    return createOperationProblem(
      'not-probeable',
      `This service checks only the hosts of its sandbox, under ${hostSuffix}.`,
    );
  if (mayProbe !== undefined && !(await mayProbe())) return createOperationProblem('not-probeable', PAUSED);
  if (await refusesChecks(db, { endpointId: id, host }))
    return createOperationProblem('not-probeable', REMOVED);
  const limit = { key: `check-host ${host}`, limit: MAX_CHECKS_PER_HOST, windowSeconds: HOST_WINDOW_SECONDS };
  const reason = `${MAX_CHECKS_PER_HOST} URLs of ${host} were checked within a minute.`;
  return limitCalls({ db, now }, { ...limit, reason });
}
