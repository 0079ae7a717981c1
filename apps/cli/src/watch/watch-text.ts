import { formatCount, formatMinute, formatMs } from '@touchstone/common';
import { numberLabels } from '@touchstone/contract';
import {
  formatRows,
  MAX_URL_CHARS,
  type Row,
  type TextStyle,
  toPlainText,
  wrapAnywhere,
} from '../terminal/text.ts';
import type {
  ReceivedCreated,
  ReceivedEvent,
  ReceivedRenewed,
  ReceivedTests,
  ReceivedWatch,
} from './owned-watch.ts';

/** Maximum printed length of a text from the service, in UTF-16 units. */
const MAX_STEP_CHARS = 5_000;

const toUrlText = (url: string): string => toPlainText(url, MAX_URL_CHARS);

/** Formats a bought watch with its secrets, which no later response contains. */
export function formatCreated(watch: ReceivedCreated, style: TextStyle): string {
  const rows: readonly Row[] = [
    ...createCommonRows(watch),
    ...createSettingRows(watch),
    ['Expires', formatMinute(watch.expires_at)],
    ...createTestRows(watch.delivery.connection_test),
    ['Secret', `${watch.secret} (shown only once)`],
    ['Signatures', `${watch.webhook_secret} (key of the webhook signatures)`],
    ...watch.next_steps.map((step) => ['Next', toPlainText(step, MAX_STEP_CHARS)] as const),
  ];
  return `${formatRows(rows, style).join('\n')}\n`;
}

export function formatRenewed(watch: ReceivedRenewed, style: TextStyle): string {
  const rows: readonly Row[] = [
    ...createCommonRows(watch),
    ['Status', watch.status],
    ['Expires', formatMinute(watch.expires_at)],
  ];
  return `${formatRows(rows, style).join('\n')}\n`;
}

/** Formats a watch for its owner. @param tests results of connection tests of new URLs after an edit */
export function formatWatch(watch: ReceivedWatch, style: TextStyle, tests: ReceivedTests = []): string {
  const rows: readonly Row[] = [
    ...createCommonRows(watch),
    ['Status', watch.status],
    ...createSettingRows(watch),
    ['Created', formatMinute(watch.created_at)],
    ['Expires', formatMinute(watch.expires_at)],
    ...(watch.cancelled_at === null ? [] : [['Cancelled', formatMinute(watch.cancelled_at)] as const]),
    ...createTestRows(tests),
    ...createDestinationRows(watch.delivery),
  ];
  return `${formatRows(rows, style).join('\n')}\n`;
}

function createCommonRows(
  watch: Pick<ReceivedWatch, 'watch_id' | 'endpoint' | 'endpoint_page'>,
): readonly Row[] {
  return [
    ['Watch', watch.watch_id],
    ['Endpoint', toUrlText(watch.endpoint)],
    ['Page', toUrlText(watch.endpoint_page)],
  ];
}

function createSettingRows(watch: Pick<ReceivedWatch, 'events' | 'liveness_sensitivity_n'>): readonly Row[] {
  return [
    ['Events', watch.events.join(', ')],
    ['Down after', formatCount(watch.liveness_sensitivity_n, 'missed probe')],
  ];
}

function createTestRows(tests: ReceivedTests): readonly Row[] {
  const labels = numberLabels(tests.map(({ url }) => url));
  return tests.map(({ ok, status, ms, error }, at) => {
    const result = status === null ? (error ?? 'no response') : `status ${String(status)}`;
    const verdict = ok ? 'ok' : 'failed';
    return [
      'Test',
      `${toUrlText(labels[at] ?? '')} ${verdict}, ${toPlainText(result, 200)} in ${formatMs(ms)}`,
    ] as const;
  });
}

type Destination = ReceivedWatch['delivery']['webhooks'][number];

function createDestinationRows({ webhooks, chats }: ReceivedWatch['delivery']): readonly Row[] {
  const all = [...webhooks, ...chats];
  if (all.length === 0) return [['Delivery', 'none; read the events with touchstone watch events']];
  const labels = numberLabels(all.map(({ url }) => url));
  return all.map(
    (destination, at) => ['Delivery', formatDestination({ ...destination, url: labels[at] ?? '' })] as const,
  );
}

function formatDestination(destination: Destination): string {
  const {
    channel,
    url,
    status,
    disabled_reason: reason,
    failing_since: since,
    pending_events: pending,
  } = destination;
  const state = [
    status,
    ...(reason === null ? [] : [reason]),
    ...(since === null ? [] : [`failing since ${formatMinute(since)}`]),
    formatCount(pending, 'pending event'),
    ...formatLastAttempt(destination.last_attempt),
  ];
  return `${channel} ${toUrlText(url)} ${state.join(', ')}`;
}

function formatLastAttempt(attempt: Destination['last_attempt']): readonly string[] {
  if (attempt === null) return [];
  const { at, http_status: status, error } = attempt;
  const result = error === null ? `status ${String(status)}` : toPlainText(error, 200);
  return [`latest attempt ${formatMinute(at)} with ${result}`];
}

/** Maximum printed length of a summary, in UTF-16 units; `--json` prints all. */
const MAX_SUMMARY_CHARS = 1_000;
const COLORS = { critical: ['bold', 'red'], warning: 'yellow', info: 'green' } as const;

/** Formats an event: its number, time, severity and type on the first line, then its summary. */
export function formatEvent(event: ReceivedEvent, { paint, width }: TextStyle): string {
  const { type, severity, observed_at_iso: at, data } = event;
  const number = `#${String(data.sequence)}`.padEnd(5);
  const heading = `${number} ${formatMinute(at)}  ${paint(COLORS[severity], severity.padEnd(8))}  ${paint('bold', type)}`;
  // The summary may contain text of the endpoint, so it is wrapped like untrusted text.
  const summary = wrapAnywhere(toPlainText(data.summary, MAX_SUMMARY_CHARS), '      ', width);
  return `${[heading, ...summary].join('\n')}\n`;
}
