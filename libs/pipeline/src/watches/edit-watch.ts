import type { Watch, WatchEdit, WatchEditResponse } from '@touchstone/contract';
import {
  cancelWatch as storeCancellation,
  editWatch as storeEdit,
  type StoredWatch,
} from '@touchstone/store';
import { planDelivery } from './connect-destinations.ts';
import { authorize, readCurrent } from './read-watch.ts';
import { limitEdits } from './request-limits.ts';
import { toWatch } from './to-watch.ts';
import { createOperationProblem } from '../problem.ts';
import type { WatchContext, WatchCredentials, WatchProblem, WatchResult } from './watch-context.ts';
import { selectEvents } from './watch-target.ts';

/** Request that edits a watch. */
export interface EditRequest extends WatchCredentials {
  readonly edit: WatchEdit;
  /** Client that sent the request, such as an IP address. */
  readonly client: string;
}

/**
 * Edits a watch that is active or has expired; an expired watch may be renewed. Members that the edit leaves out stay as
 * they are. URLs that the watch already has are kept without a test, unless they are disabled. A failed connection test
 * changes nothing. A watch has at most 60 edits per hour, and edits without an effect count too.
 */
export async function editWatch(
  context: WatchContext,
  { edit, client, ...credentials }: EditRequest,
): Promise<WatchResult<WatchEditResponse>> {
  const owned = await authorize(context, credentials);
  if (owned.kind === 'problem') return owned;
  const { watch } = owned;
  if (watch.status === 'pending' || watch.status === 'cancelled') return createNotEditable(watch.status);
  const limited = await limitEdits(context, watch.id);
  if (limited !== null) return limited;
  const events = edit.events && selectEvents(edit.events, watch);
  if (events && 'kind' in events) return events;
  const plan = await planDelivery(context, watch, { edit, client });
  if (plan.kind === 'problem') return plan;
  const settings = listChangedSettings(watch, edit, events);
  const changed = [
    ...(settings.events === undefined ? [] : ['events']),
    ...(settings.livenessSensitivityN === undefined ? [] : ['liveness_sensitivity_n']),
    ...(Object.keys(plan.change).length === 0 ? [] : ['delivery']),
  ];
  if (changed.length > 0) {
    const change = { ...settings, ...plan.change, changed, now: context.now() };
    const isEdited = await storeEdit(context.db, { id: watch.id, ...change });
    // The watch was active or expired when it was read, and cannot be edited, so it was cancelled in the meantime.
    if (!isEdited) return createNotEditable('cancelled');
  }
  const current = toWatch(await readCurrent(context, watch), context.baseUrl);
  return { kind: 'result', body: { ...current, connection_test: [...plan.tests] } };
}

/**
 * Returns the settings of an edit that differ from the settings of the watch.
 *
 * @param events new event types that the watch can report; undefined if they stay as they are
 */
function listChangedSettings(
  watch: StoredWatch,
  { livenessSensitivityN }: WatchEdit,
  events: WatchEdit['events'] | undefined,
): Pick<WatchEdit, 'events' | 'livenessSensitivityN'> {
  const isSame = events?.join() === watch.events.join();
  return {
    ...(events === undefined || isSame ? {} : { events }),
    ...(livenessSensitivityN === undefined || livenessSensitivityN === watch.livenessSensitivityN
      ? {}
      : { livenessSensitivityN }),
  };
}

const NOT_EDITABLE = {
  pending: 'The payment of this watch is not settled yet, so it cannot be edited. Retry in a minute.',
  cancelled: 'The watch is cancelled, so it cannot be edited. Create a new watch.',
} as const;

function createNotEditable(status: keyof typeof NOT_EDITABLE): WatchProblem {
  return createOperationProblem('invalid-request', NOT_EDITABLE[status]);
}

/** Cancels a watch. A repeated cancellation has the same result. Messages that are pending are still delivered. */
export async function cancelWatch(
  context: Pick<WatchContext, 'db' | 'baseUrl' | 'now'>,
  credentials: WatchCredentials,
): Promise<WatchResult<Watch>> {
  const owned = await authorize(context, credentials);
  if (owned.kind === 'problem') return owned;
  await storeCancellation(context.db, { id: credentials.id, now: context.now() });
  return { kind: 'result', body: toWatch(await readCurrent(context, owned.watch), context.baseUrl) };
}
