import type { ClaimedDelivery } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import { toEndpointTag } from '../pages.ts';
import { scoreEndpoints } from '../scoring/score-batch.ts';
import { runUntilAborted } from '../steps.ts';

/** Maximum time for which alerts wait for the scores of their endpoints, in milliseconds. */
const MAX_REFRESH_MS = 10_000;

/**
 * Scores the endpoints whose alerts are sent for the first time, and refreshes their pages, so that the page behind the
 * link of an alert is at least as new as the alert. Never rejects: after a failure or the maximum time, the alerts are
 * sent nevertheless, and the scoring job scores the endpoints.
 *
 * @returns number of alerts whose page was not refreshed
 */
export async function refreshAlertedPages(
  { db, now, onChanged }: Pick<PipelineContext, 'db' | 'now' | 'onChanged'>,
  claimed: readonly ClaimedDelivery[],
): Promise<number> {
  const alerts = claimed.filter(
    ({ attempt, entries }) => attempt === 1 && entries.some(({ kind }) => kind === 'alert'),
  );
  if (alerts.length === 0) return 0;
  const refresh = async (): Promise<void> => {
    const unscored = listEndpointIds(alerts.filter(({ hasUnscoredChanges }) => hasUnscoredChanges));
    if (unscored.length > 0) await scoreEndpoints({ db, onChanged }, unscored, now());
    // A score expires no page if only figures such as the time of the last probe have changed. The alert can be about
    // that probe.
    await onChanged(listEndpointIds(alerts).map(toEndpointTag));
  };
  const limit = AbortSignal.timeout(MAX_REFRESH_MS);
  return runUntilAborted(refresh, limit, () => new Error('too slow')).then(
    () => 0,
    () => alerts.length,
  );
}

function listEndpointIds(deliveries: readonly ClaimedDelivery[]): readonly string[] {
  return [...new Set(deliveries.map(({ endpointId }) => endpointId))];
}
