import type { ClaimedDelivery } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import { toEndpointTag } from '../pages.ts';
import { scoreEndpoints } from '../scoring/score-batch.ts';
import { runUntilAborted } from '../steps.ts';

/** Maximum time for which alerts wait for their pages, in milliseconds. */
export const MAX_REFRESH_MS = 10_000;

type RefreshContext = Pick<PipelineContext, 'db' | 'now' | 'onChanged' | 'logError'>;

/** Returns true if a delivery sends an alert for the first time. */
export function isNewAlert({ attempt, entries, limitedUntil }: ClaimedDelivery): boolean {
  return attempt === 1 && limitedUntil === null && entries.some(({ kind }) => kind === 'alert');
}

/**
 * Creates the function that refreshes the pages of new alerts in one run, so that the page behind the link of an alert
 * is normally at least as new as the alert. The function never rejects, and returns the number of alerts whose page was
 * not refreshed. After the first failure, the run refreshes no further page: a slow site delays a run once, and the
 * error is logged once. The scoring job then scores the endpoints.
 *
 * @param maxMs Time after which a refresh counts as failed, in milliseconds.
 */
export function createPageRefresh(context: RefreshContext, maxMs: number) {
  const failed = new AbortController();
  return async (alerts: readonly ClaimedDelivery[]): Promise<number> => {
    if (alerts.length === 0) return 0;
    const limit = AbortSignal.any([failed.signal, AbortSignal.timeout(maxMs)]);
    const createError = () => new Error(`the refresh took longer than ${maxMs} ms`);
    try {
      await runUntilAborted(() => refresh(context, alerts), limit, createError);
      return 0;
    } catch (error) {
      if (!failed.signal.aborted)
        context.logError?.(`The pages of alerts were not refreshed: ${String(error)}`);
      failed.abort();
      return alerts.length;
    }
  };
}

async function refresh(
  { db, now, onChanged }: RefreshContext,
  alerts: readonly ClaimedDelivery[],
): Promise<void> {
  const unscored = listEndpointIds(alerts.filter(({ hasUnscoredChanges }) => hasUnscoredChanges));
  if (unscored.length > 0) await scoreEndpoints({ db, onChanged }, unscored, now());
  // A score expires no page if only figures such as the time of the last probe have changed. The alert can be about
  // that probe.
  await onChanged(listEndpointIds(alerts).map(toEndpointTag));
}

function listEndpointIds(deliveries: readonly ClaimedDelivery[]): readonly string[] {
  return [...new Set(deliveries.map(({ endpointId }) => endpointId))];
}
