import {
  formatEventId,
  formatSentence,
  isAlertType,
  MAX_EVENT_OPTIONS,
  MAX_WEBHOOK_BODY_BYTES,
  TEXT_LIMITS,
  WATCH_ALERTS,
  WATCH_EVENTS,
  WATCH_LIFECYCLE,
  type Sentence,
  type WatchAlert,
  type WatchEvent,
  type WatchLifecycleEvent,
} from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import { toWebhookBody } from '../messages/webhook-message.ts';
import { describeTerms, selectOptions } from './event-terms.ts';
import {
  readLifecycle,
  readStates,
  readTerms,
  type AlertEntry,
  type LifecycleEntry,
  type LogEntry,
} from './log-entry.ts';

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

type Sides = Pick<WatchAlert['data'], 'before' | 'after' | 'varies'>;

/**
 * Converts a log entry of a watch to an event. Polling clients and webhooks get the same event. Never throws:
 * unreadable details become null. The webhook message of the event is smaller than 20,000 bytes, so fewer payment
 * options are listed if their texts are long.
 */
export function toWatchEvent(entry: AlertEntry, context: EventContext): WatchAlert;
export function toWatchEvent(entry: LifecycleEntry, context: EventContext): WatchLifecycleEvent;
export function toWatchEvent(entry: LogEntry, context: EventContext): WatchEvent;
export function toWatchEvent({ type, ...entry }: LogEntry, context: EventContext): WatchEvent {
  return isAlertType(type)
    ? toAlert({ ...entry, kind: 'alert', type }, context)
    : toLifecycleEvent({ ...entry, kind: 'lifecycle', type }, context);
}

function toAlert(entry: AlertEntry, context: EventContext): WatchAlert {
  const create = (optionLimit: number): WatchAlert => {
    const facts = { type: entry.type, ...toObservedAt(entry), data: toSides(entry, optionLimit) };
    const data = { ...createDetails(entry, context, facts), ...facts.data };
    const severity = data.varies === true ? 'warning' : WATCH_EVENTS[entry.type].severity;
    return { ...createHeader(entry, context), severity, type: entry.type, data };
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
  const { expiresAt, before, after, changed, channel, label, reason, purchase } = readLifecycle(entry.data);
  const url = cleanText(label, TEXT_LIMITS.address);
  const figures = {
    ...(expiresAt !== null && { expires_at: expiresAt }),
    ...(entry.type === 'edited' && { changed: [...new Set(changed)] }),
    ...(typeof before?.expiresAt === 'string' && { before: { expires_at: before.expiresAt } }),
    ...(typeof after?.expiresAt === 'string' && { after: { expires_at: after.expiresAt } }),
    ...(channel !== null && { channel }),
    ...(url !== null && { url }),
    ...(reason !== null && { reason }),
    ...(purchase !== null && {
      purchase: {
        ...{ purchased_at: purchase.purchasedAt, outcome: purchase.outcome, publish_at: purchase.publishAt },
        transaction: purchase.transaction,
      },
    }),
  };
  const facts = { type: entry.type, ...toObservedAt(entry), data: figures };
  const data = { ...createDetails(entry, context, facts), ...figures };
  return { ...createHeader(entry, context), type: entry.type, data };
}

function createHeader({ sequence, type, at }: LogEntry, { watchId, resource }: EventContext) {
  return {
    event_id: formatEventId(watchId, sequence),
    type,
    severity: WATCH_EVENTS[type].severity,
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
  const row = WATCH_ALERTS[type];
  if ('compares' in row) {
    const terms = readTerms(data);
    return { ...selectOptions(row.compares, terms, optionLimit), ...(terms.varies && { varies: true }) };
  }
  const states = row.state === undefined ? null : readStates(row.state, data);
  return { before: states?.before ?? row.defaults.before, after: states?.after ?? row.defaults.after };
}

/** Event without its summary. The summary is made from these facts. */
type EventFacts =
  | (Pick<WatchAlert, 'type' | 'observed_at_iso'> & {
      readonly data: Sides;
    })
  | (Pick<WatchLifecycleEvent, 'type' | 'observed_at_iso'> & {
      readonly data: Omit<WatchLifecycleEvent['data'], 'sequence' | 'summary' | 'endpoint_page'>;
    });

type LifecycleFacts = Exclude<EventFacts, { readonly type: WatchAlert['type'] }>;

const isLifecycle = (event: EventFacts): event is LifecycleFacts => !isAlertType(event.type);

const VARIATION =
  'The payment address varies: it changed several times within a day. Further changes are not reported until it stays the same for a day. ';

/** Describes an event in one or a few sentences: what changed, from what to what, and since when. */
export function describeEvent(event: EventFacts): Sentence {
  if (isLifecycle(event)) return WATCH_LIFECYCLE[event.type].describe(event.data);
  const { before, after, varies } = event.data;
  const row = WATCH_ALERTS[event.type];
  if (!('compares' in row)) return row.describe({ before, after, at: event.observed_at_iso });
  const change = describeTerms(row.compares, before, after);
  return varies === true ? [VARIATION, ...change] : change;
}
