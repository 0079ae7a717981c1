import {
  WATCH_RENEWAL_GRACE_DAYS,
  type WatchAlert,
  type WatchEvent,
  type WatchLifecycleEvent,
} from '@touchstone/contract';
import { DAY_MS } from '@touchstone/common';
import { describeTerms, type EventTerms } from './event-terms.ts';
import { formatDuration, formatTime, value, type Sentence } from './sentence.ts';

type State = WatchAlert['data']['after'];

/** Title of each type of event, for people. */
const TITLES: Readonly<Record<WatchEvent['type'], string>> = {
  payto_change: 'The payTo address changed',
  price_change: 'The price changed',
  asset_network_change: 'The payment token or network changed',
  spec_regression: 'The payment challenge got worse',
  delisting: 'The endpoint was delisted',
  liveness_down: 'The endpoint is down',
  liveness_recovered: 'The endpoint is up again',
  created: 'The watch is active',
  edited: 'The watch was edited',
  renewed: 'The watch was renewed',
  cancelled: 'The watch was cancelled',
  expiring: 'The watch ends soon',
  expired: 'The watch ended',
  delivery_disabled: 'A delivery URL was disabled',
};

/** Returns the title of an event. */
export function getTitle(type: WatchEvent['type']): string {
  return TITLES[type];
}

/** Event without the summary, which is made of the description. */
export type EventFacts =
  | (Pick<WatchAlert, 'type' | 'observed_at_iso'> & {
      readonly data: Pick<WatchAlert['data'], 'before' | 'after'>;
    })
  | (Pick<WatchLifecycleEvent, 'type' | 'observed_at_iso'> & {
      readonly data: Omit<WatchLifecycleEvent['data'], 'sequence' | 'summary' | 'endpoint_page'>;
    });

/** Describes an event in one or a few sentences: what changed, from what to what, and since when. */
export function describeEvent(event: EventFacts): Sentence {
  switch (event.type) {
    case 'payto_change':
    case 'price_change':
    case 'asset_network_change':
      return describeTerms(event.type, toTerms(event.data.before), toTerms(event.data.after));
    case 'spec_regression':
      return describeRegression(event.data.before, event.data.after);
    case 'delisting':
      return ['No directory lists the endpoint any more.'];
    case 'liveness_down':
      return describeOutage(event.data.after);
    case 'liveness_recovered':
      return describeRecovery(event.data.before, event.observed_at_iso);
    default:
      return describeLifecycle(event);
  }
}

function toTerms(state: State): EventTerms | null {
  return state !== null && 'options' in state ? state : null;
}

function describeRegression(before: State, after: State): Sentence {
  const from = before !== null && 'compliance' in before ? before.compliance : 'unknown';
  const to = after !== null && 'compliance' in after ? after.compliance : 'unknown';
  const effect = to === 'unpayable' ? ' No reference client can pay it now.' : '';
  return [`Its compliance with the x402 specification changed from ${from} to ${to}.${effect}`];
}

function describeOutage(after: State): Sentence {
  if (after === null || !('liveness' in after)) return ['The endpoint does not respond.'];
  const { down_since: since, missed_probes: missed, outcome, http_status: status } = after;
  const start =
    since === undefined ? 'The endpoint is down' : `The endpoint is down since ${formatTime(since)}`;
  const misses =
    missed === undefined ? '' : `: ${missed} scheduled ${missed === 1 ? 'probe' : 'probes in a row'} failed`;
  const cause = typeof status === 'number' ? `HTTP ${status}` : outcome?.replaceAll('-', ' ');
  return [`${start}${misses}${cause === undefined ? '' : ` (last result: ${cause})`}.`];
}

function describeRecovery(before: State, recoveredAt: string): Sentence {
  const since = before !== null && 'liveness' in before ? before.down_since : undefined;
  const start = `The endpoint responds again since ${formatTime(recoveredAt)}.`;
  if (since === undefined) return [start];
  const duration = formatDuration(Date.parse(recoveredAt) - Date.parse(since));
  return [`${start} It was down for ${duration}, from ${formatTime(since)}.`];
}

function describeLifecycle({
  type,
  data,
}: Exclude<EventFacts, { readonly type: WatchAlert['type'] }>): Sentence {
  const end = data.expires_at === undefined ? 'its end' : formatTime(data.expires_at);
  switch (type) {
    case 'created':
      return [`The watch is active until ${end}.`];
    case 'edited':
      return [`The settings of the watch changed: ${formatSettings(data.changed)}.`];
    case 'renewed':
      return [describeRenewal(data.before?.expires_at, data.after?.expires_at)];
    case 'cancelled':
      return ['The owner cancelled the watch. It reports no further changes.'];
    case 'expiring':
      return [`The watch ends at ${end}. Renew it to receive further alerts.`];
    case 'expired':
      return [`The watch ended at ${end}. ${describeGrace(data.expires_at)}`];
    case 'delivery_disabled':
      return describeDisabled(data);
  }
}

function formatSettings(changed: readonly string[] = []): string {
  return changed.length === 0 ? 'none' : changed.join(', ');
}

function describeRenewal(before: string | undefined, after: string | undefined): string {
  if (after === undefined) return 'The watch was renewed for 30 days.';
  const instead = before === undefined ? '' : ` instead of ${formatTime(before)}`;
  return `The watch now ends at ${formatTime(after)}${instead}.`;
}

function describeGrace(expiresAt: string | undefined): string {
  if (expiresAt === undefined) return 'It reports no further changes.';
  const until = new Date(Date.parse(expiresAt) + WATCH_RENEWAL_GRACE_DAYS * DAY_MS).toISOString();
  return `It can be renewed until ${formatTime(until)}.`;
}

function describeDisabled({ url, reason }: Pick<WatchLifecycleEvent['data'], 'url' | 'reason'>): Sentence {
  const why = reason === 'gone' ? 'the URL does not exist any more' : 'every message failed for 120 hours';
  return ['No more messages are sent to ', value(url ?? 'one URL'), `, because ${why}.`];
}
