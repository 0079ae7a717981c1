import { DAY_MS, formatDuration, formatMinute } from '@touchstone/common';
import { REFUSAL_FILE, WATCH_RENEWAL_GRACE_DAYS, type WatchSeverity } from '../shared/watch-constants.ts';
import type { PurchaseNotice } from '../operations/claim/unpublished-purchase.ts';
import { markUnverified, type Sentence } from './sentence.ts';
import type { WatchedState } from './watched-state.ts';

// This file does not import zod at run time, so that scripts of pages can import it without zod.

interface EventRow {
  readonly severity: WatchSeverity;
  /** Short title, as the page of the watch shows it. */
  readonly title: string;
  /** First line of a chat message. */
  readonly headline: string;
}

/** State of the endpoint before and after an alert, and the time of the alert in ISO 8601. */
interface Change {
  readonly before: WatchedState;
  readonly after: WatchedState;
  readonly at: string;
}

/** Part of the payment terms. A change of this part causes an alert. */
export type ComparedTerms = 'payTo' | 'price' | 'token';

interface TermsRow extends EventRow {
  /** Part of the payment terms whose change the text of the alert describes. */
  readonly compares: ComparedTerms;
  /**
   * True if the compared terms may differ between the URLs of a URL template. A watch of a template has no such alerts.
   */
  readonly differsByItem?: true;
}

interface StateRow extends EventRow {
  /**
   * Name of the logged member that contains the state. Absent for an alert with fixed states, because fixed states are
   * not logged.
   */
  readonly state?: 'compliance' | 'liveness';
  /** States before and after the alert. Used when the log entry has no states. */
  readonly defaults: { readonly before: WatchedState; readonly after: WatchedState };
  readonly describe: (change: Change) => Sentence;
}

/**
 * Alerts: events on the watched endpoint, in display order. A watch reports the types that its owner chose. The SQL
 * functions `append_change_alerts` and `record_watch_liveness` detect the alerts.
 */
const ALERTS = {
  payto_change: {
    // A changed payTo address may be a takeover.
    severity: 'critical',
    title: 'Payment address changed',
    headline: 'The payTo address changed',
    compares: 'payTo',
    differsByItem: true,
  },
  price_change: {
    severity: 'warning',
    title: 'Price changed',
    headline: 'The price changed',
    compares: 'price',
    differsByItem: true,
  },
  asset_network_change: {
    severity: 'warning',
    title: 'Token or network changed',
    headline: 'The payment token or network changed',
    compares: 'token',
  },
  spec_regression: {
    severity: 'warning',
    title: 'Challenge became less compliant',
    headline: 'The payment challenge got worse',
    state: 'compliance',
    defaults: { before: null, after: null },
    describe: describeRegression,
  },
  delisting: {
    severity: 'warning',
    title: 'No longer listed',
    headline: 'The endpoint was delisted',
    defaults: { before: { listing_status: 'listed' }, after: { listing_status: 'delisted' } },
    describe: () => ['The endpoint left every directory that listed it.'],
  },
  liveness_down: {
    severity: 'warning',
    title: 'Outage',
    headline: 'The endpoint is down',
    state: 'liveness',
    defaults: { before: { liveness: 'up' }, after: { liveness: 'down' } },
    describe: describeOutage,
  },
  liveness_recovered: {
    severity: 'info',
    title: 'Outage ended',
    headline: 'The endpoint is up again',
    state: 'liveness',
    defaults: { before: { liveness: 'down' }, after: { liveness: 'up' } },
    describe: describeRecovery,
  },
} as const satisfies Readonly<Record<string, TermsRow | StateRow>>;

/** Details of a lifecycle event. Each event type has some of these members. */
interface LifecycleDetails {
  readonly expires_at?: string;
  readonly changed?: readonly string[];
  readonly before?: { readonly expires_at: string };
  readonly after?: { readonly expires_at: string };
  readonly url?: string;
  readonly reason?: 'gone' | 'failing' | 'refused';
  readonly purchase?: PurchaseNotice;
}

interface LifecycleRow extends EventRow {
  readonly describe: (details: LifecycleDetails) => Sentence;
}

/**
 * Lifecycle events: events on the watch itself, in the order in which they can occur. SQL functions log these events.
 */
const LIFECYCLE_EVENTS = {
  created: {
    severity: 'info',
    title: 'Watch created',
    headline: 'The watch is active',
    describe: (details) => [`The watch is active until ${formatEnd(details)}.`],
  },
  edited: {
    severity: 'info',
    title: 'Settings changed',
    headline: 'The watch was edited',
    describe: ({ changed = [] }) => [
      `The settings of the watch changed: ${changed.length === 0 ? 'none' : changed.join(', ')}.`,
    ],
  },
  renewed: {
    severity: 'info',
    title: 'Watch renewed',
    headline: 'The watch was renewed',
    describe: describeRenewal,
  },
  cancelled: {
    severity: 'info',
    title: 'Watch cancelled',
    headline: 'The watch was cancelled',
    describe: () => ['The owner cancelled the watch. It reports no further changes.'],
  },
  expiring: {
    severity: 'warning',
    title: 'Watch ends soon',
    headline: 'The watch ends soon',
    describe: (details) => [`The watch ends at ${formatEnd(details)}. Renew it to receive further alerts.`],
  },
  expired: {
    severity: 'warning',
    title: 'Watch ended',
    headline: 'The watch ended',
    describe: describeEnd,
  },
  delivery_disabled: {
    severity: 'warning',
    title: 'Delivery disabled',
    headline: 'A delivery URL was disabled',
    describe: describeDisabled,
  },
  // Only the free notices of a claim have this event.
  purchase_not_delivered: {
    severity: 'warning',
    title: 'Test purchase not delivered',
    headline: 'A test purchase was not delivered as declared',
    describe: describePurchase,
  },
} as const satisfies Readonly<Record<string, LifecycleRow>>;

export type WatchEventType = keyof typeof ALERTS;
export type WatchLifecycleType = keyof typeof LIFECYCLE_EVENTS;

export const WATCH_ALERTS: Readonly<Record<WatchEventType, TermsRow | StateRow>> = ALERTS;
export const WATCH_LIFECYCLE: Readonly<Record<WatchLifecycleType, LifecycleRow>> = LIFECYCLE_EVENTS;
/** All events of a watch by their type: alerts, then lifecycle events. */
export const WATCH_EVENTS: Readonly<Record<WatchEventType | WatchLifecycleType, EventRow>> = {
  ...ALERTS,
  ...LIFECYCLE_EVENTS,
};

// `Object.keys` has the type `string[]`, although the tables have no other keys.
export const WATCH_EVENT_TYPES = Object.keys(ALERTS) as readonly WatchEventType[];
/** All types of lifecycle events, in the order in which the events can occur. */
export const WATCH_LIFECYCLE_TYPES = Object.keys(LIFECYCLE_EVENTS) as readonly WatchLifecycleType[];

export function isAlertType(type: WatchEventType | WatchLifecycleType): type is WatchEventType {
  return Object.hasOwn(ALERTS, type);
}

function describeRegression({ before, after }: Change): Sentence {
  const from = before !== null && 'compliance' in before ? before.compliance : 'unknown';
  const to = after !== null && 'compliance' in after ? after.compliance : 'unknown';
  const effect = to === 'unpayable' ? ' No reference client can pay it now.' : '';
  return [`Its compliance with the x402 specification changed from ${from} to ${to}.${effect}`];
}

function describeOutage({ after }: Change): Sentence {
  if (after === null || !('liveness' in after)) return ['The endpoint does not respond.'];
  const { down_since: since, missed_probes: missed, outcome, http_status: status } = after;
  const start =
    since === undefined ? 'The endpoint is down' : `The endpoint has been down since ${formatMinute(since)}`;
  const misses =
    missed === undefined
      ? ''
      : `: ${String(missed)} scheduled ${missed === 1 ? 'probe' : 'probes in a row'} failed`;
  const cause = typeof status === 'number' ? `HTTP ${String(status)}` : outcome?.replaceAll('-', ' ');
  return [`${start}${misses}${cause === undefined ? '' : ` (last result: ${cause})`}.`];
}

function describeRecovery({ before, at }: Change): Sentence {
  const since = before !== null && 'liveness' in before ? before.down_since : undefined;
  const start = `The endpoint responds again since ${formatMinute(at)}.`;
  if (since === undefined) return [start];
  const duration = formatDuration(Date.parse(at) - Date.parse(since));
  return [`${start} It was down for ${duration}, from ${formatMinute(since)}.`];
}

function formatEnd({ expires_at: end }: LifecycleDetails): string {
  return end === undefined ? 'its end' : formatMinute(end);
}

function describeRenewal({ before, after }: LifecycleDetails): Sentence {
  if (after === undefined) return ['The watch was renewed for 30 days.'];
  const instead = before === undefined ? '' : ` instead of ${formatMinute(before.expires_at)}`;
  return [`The watch now ends at ${formatMinute(after.expires_at)}${instead}.`];
}

function describeEnd(details: LifecycleDetails): Sentence {
  const start = `The watch ended at ${formatEnd(details)}.`;
  if (details.expires_at === undefined) return [`${start} It reports no further changes.`];
  const until = Date.parse(details.expires_at) + WATCH_RENEWAL_GRACE_DAYS * DAY_MS;
  return [`${start} It can be renewed until ${formatMinute(until)}.`];
}

function describeDisabled({ url, reason }: LifecycleDetails): Sentence {
  const why = {
    gone: 'the URL does not exist',
    failing: 'every message failed for 120 hours',
    refused: `the file ${REFUSAL_FILE.path} of its host refuses them`,
  }[reason ?? 'failing'];
  return ['No more messages are sent to ', markUnverified(url ?? 'one URL'), `, because ${why}.`];
}

const UNDELIVERED: Readonly<Partial<Record<PurchaseNotice['outcome'], string>>> = {
  'paid-not-delivered': 'no response with status 2xx came',
  'pay-again': 'the response asked for another payment',
  'wrong-body': 'the body was empty or violated the declared output schema',
  late: 'no whole response came in time',
};

function describePurchase({ purchase }: LifecycleDetails): Sentence {
  if (purchase === undefined) return ['A test purchase was charged, but not delivered as declared.'];
  const { outcome, purchased_at: at, publish_at: publishAt } = purchase;
  return [
    `A test purchase by this service at ${formatMinute(at)} was charged, but ${UNDELIVERED[outcome] ?? outcome}. The outcome becomes public at ${formatMinute(publishAt)}. The endpoint is bought again, and a delivery counts at once. GET /v1/claim/{id} shows the transaction.`,
  ];
}
