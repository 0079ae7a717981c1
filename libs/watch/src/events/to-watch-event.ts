import {
  formatEventId,
  MAX_EVENT_OPTIONS,
  MAX_WEBHOOK_BODY_BYTES,
  TEXT_LIMITS,
  WATCH_EVENT_TYPES,
  WATCH_SEVERITY,
  type WatchAlert,
  type WatchedState,
  type WatchEvent,
  type WatchEventType,
  type WatchLifecycleEvent,
} from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import { toWebhookBody } from '../messages/webhook-message.ts';
import { describeEvent, type EventFacts } from './describe-event.ts';
import { selectOptions } from './event-terms.ts';
import {
  readCompliance,
  readLifecycle,
  readLiveness,
  readTerms,
  type AlertEntry,
  type LifecycleEntry,
  type LogEntry,
  type StoredLiveness,
} from './log-entry.ts';
import { formatSentence } from './sentence.ts';

/** Watch and endpoint of a log entry. */
export interface EventContext {
  readonly watchId: string;
  /** URL of the watched endpoint, as shown to people. */
  readonly resource: string;
  /** URL of the public page of the endpoint. */
  readonly endpointPage: string;
}

/** Maximum length of a summary, in UTF-16 code units. */
const MAX_SUMMARY_CHARS = 1_000;

type Sides = Pick<WatchAlert['data'], 'before' | 'after'>;
type Liveness = Extract<WatchedState, { readonly liveness: unknown }>;

/**
 * Converts an entry of the log of a watch to an event, as polled and as sent. Never throws: unreadable details become
 * null. Its webhook message is smaller than 20,000 bytes, so fewer payment options are listed if their texts are long.
 */
export function toWatchEvent(entry: AlertEntry, context: EventContext): WatchAlert;
export function toWatchEvent(entry: LifecycleEntry, context: EventContext): WatchLifecycleEvent;
export function toWatchEvent(entry: LogEntry, context: EventContext): WatchEvent;
export function toWatchEvent({ type, ...entry }: LogEntry, context: EventContext): WatchEvent {
  return isAlertType(type)
    ? toAlert({ ...entry, kind: 'alert', type }, context)
    : toLifecycleEvent({ ...entry, kind: 'lifecycle', type }, context);
}

const ALERT_TYPES: ReadonlySet<string> = new Set(WATCH_EVENT_TYPES);

function isAlertType(type: LogEntry['type']): type is WatchEventType {
  return ALERT_TYPES.has(type);
}

function toAlert(entry: AlertEntry, context: EventContext): WatchAlert {
  const create = (optionLimit: number): WatchAlert => {
    const facts = { type: entry.type, ...toObservedAt(entry), data: toSides(entry, optionLimit) };
    const data = { ...createDetails(entry, context, facts), ...facts.data };
    return { ...createHeader(entry, context), type: entry.type, data };
  };
  let limit = MAX_EVENT_OPTIONS;
  let event = create(limit);
  while (limit > 1 && measureBody(event, context.watchId) >= MAX_WEBHOOK_BODY_BYTES) {
    limit = Math.floor(limit / 2);
    event = create(limit);
  }
  return event;
}

function measureBody(event: WatchEvent, watchId: string): number {
  return Buffer.byteLength(toWebhookBody(event, watchId));
}

function toLifecycleEvent(entry: LifecycleEntry, context: EventContext): WatchLifecycleEvent {
  const { expiresAt, before, after, changed, channel, label, reason } = readLifecycle(entry.data);
  const url = cleanText(label, TEXT_LIMITS.address);
  const figures = {
    ...(expiresAt !== null && { expires_at: expiresAt }),
    ...(entry.type === 'edited' && { changed: [...new Set(changed)] }),
    ...(typeof before?.expiresAt === 'string' && { before: { expires_at: before.expiresAt } }),
    ...(typeof after?.expiresAt === 'string' && { after: { expires_at: after.expiresAt } }),
    ...(channel !== null && { channel }),
    ...(url !== null && { url }),
    ...(reason !== null && { reason }),
  };
  const facts = { type: entry.type, ...toObservedAt(entry), data: figures };
  const data = { ...createDetails(entry, context, facts), ...figures };
  return { ...createHeader(entry, context), type: entry.type, data };
}

function createHeader({ sequence, type, at }: LogEntry, { watchId, resource }: EventContext) {
  return {
    event_id: formatEventId(watchId, sequence),
    type,
    severity: WATCH_SEVERITY[type],
    ...toObservedAt({ at }),
    endpoint: cleanText(resource, TEXT_LIMITS.resource) ?? '',
  };
}

function createDetails({ sequence }: LogEntry, { endpointPage }: EventContext, facts: EventFacts) {
  const summary = cleanText(formatSentence(describeEvent(facts)), MAX_SUMMARY_CHARS) ?? '';
  return { sequence, summary, endpoint_page: endpointPage };
}

function toObservedAt({ at }: Pick<LogEntry, 'at'>): { readonly observed_at_iso: string } {
  return { observed_at_iso: new Date(at).toISOString() };
}

function toSides({ type, data }: AlertEntry, optionLimit: number): Sides {
  switch (type) {
    case 'payto_change':
    case 'price_change':
    case 'asset_network_change':
      return selectOptions(type, readTerms(data), optionLimit);
    case 'spec_regression':
      return readCompliance(data);
    case 'delisting':
      return { before: { listing_status: 'listed' }, after: { listing_status: 'delisted' } };
    case 'liveness_down':
      return toLivenessSides(data, ['up', 'down']);
    case 'liveness_recovered':
      return toLivenessSides(data, ['down', 'up']);
  }
}

function toLivenessSides(
  data: unknown,
  [from, to]: readonly [Liveness['liveness'], Liveness['liveness']],
): Sides {
  const { before, after } = readLiveness(data);
  return { before: toLiveness(from, before), after: toLiveness(to, after) };
}

/**
 * Returns a state of liveness. Only the state `down` has details of the outage.
 *
 * @param usual state of this side if the entry does not have one
 */
function toLiveness(usual: Liveness['liveness'], stored: StoredLiveness | null): Liveness {
  const liveness = stored?.liveness ?? usual;
  if (liveness === 'up' || stored === null) return { liveness };
  const { downSince, missedProbes, outcome, httpStatus } = stored;
  return {
    liveness,
    ...(downSince !== null && { down_since: downSince }),
    ...(missedProbes !== null && { missed_probes: missedProbes }),
    ...(outcome !== null && { outcome }),
    ...(httpStatus !== undefined && { http_status: httpStatus }),
  };
}
