import { canonicalize } from '@touchstone/catalog';
import { WATCH_ALERTS, WATCH_EVENT_TYPES, type WatchEventType } from '@touchstone/contract';
import { findWatchTarget, type WatchTarget } from '@touchstone/store';
import { describeUnknown } from '../reports/find-related.ts';
import { createInvalid, createInvalidUrl, createOperationProblem } from '../problem.ts';
import type { WatchContext, WatchProblem } from './watch-context.ts';

/** Finds the endpoint of a new watch. Returns a problem if the endpoint is unknown or not probed. */
export async function findTarget(
  { db, baseUrl }: Pick<WatchContext, 'db' | 'baseUrl'>,
  endpoint: string,
): Promise<WatchTarget | WatchProblem> {
  const canonical = canonicalize(endpoint);
  if (!canonical.ok) return createInvalidUrl(canonical.reason, 'endpoint');
  const target = await findWatchTarget(db, canonical.resource);
  if (target === null) {
    const detail = await describeUnknown({ db, baseUrl }, canonical.resource, ADVICE);
    return createOperationProblem('unknown-resource', detail);
  }
  if (target.isProbed) return target;
  return target.templated ? UNRESOLVED : NOT_PROBED;
}

const ADVICE = 'Buy a trust report to add it (POST /v1/x402-trust), then create the watch.';
const UNRESOLVED = createOperationProblem(
  'template-unresolved',
  'This endpoint is a URL template without example values, so this service cannot probe it. Replace each placeholder with a value and watch that URL.',
);
const NOT_PROBED = createOperationProblem(
  'not-probeable',
  'This service does not probe this endpoint, so a watch could not detect changes or outages.',
);

/** Event types that a URL template cannot have, because the URLs of a template may differ in price and payTo. */
const ITEM_EVENTS = WATCH_EVENT_TYPES.filter((type) => 'differsByItem' in WATCH_ALERTS[type]);

/**
 * Returns the requested event types that a watch of this endpoint can report, or a problem if there is no such type. A
 * watch of a URL template reports no payto_change and no price_change.
 */
export function selectEvents(
  requested: readonly WatchEventType[],
  { templated }: Pick<WatchTarget, 'templated'>,
): readonly WatchEventType[] | WatchProblem {
  if (!templated) return requested;
  const events = requested.filter((type) => !ITEM_EVENTS.includes(type));
  if (events.length > 0) return events;
  return createInvalid(
    'events',
    `\`events\` must contain a type other than ${ITEM_EVENTS.join(' and ')}, because this endpoint is a URL template and its items may differ in price and payTo.`,
  );
}
