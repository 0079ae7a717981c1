import { createHmac } from 'node:crypto';
import { webhookMessageSchema } from '@touchstone/contract';
import type { BookDelivery, BookEntry, Books } from './books.ts';
import { PAUSE_SECONDS } from './faults.ts';
import type { ReceivedMessage } from './receivers-process.ts';
import type { BenchWatch } from './watches.ts';

/** Delays after each failed attempt in seconds, as docs/watches.md promises them. The jitter is up to 10 %. */
const DELAYS_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const MAX_ATTEMPTS = 10;
const MAX_JITTER_SHARE = 0.1;
/** Time without a success after which a destination is disabled, in hours. */
const DISABLED_AFTER_HOURS = 120;

/** Counts of a completed run. */
export interface Tally {
  readonly delivered: number;
  readonly exhausted: number;
  /** Deliveries that were dropped with their destination: removed (410), or without a success for 120 hours. */
  readonly droppedGone: number;
  readonly droppedFailing: number;
  readonly requests: number;
  readonly accepted: number;
}

function check(isTrue: boolean, violation: string): void {
  if (!isTrue) throw new Error(`Check failed: ${violation}`);
}

/** Checks both signatures with the algorithms of the documentation, independently of the code that signs. */
function checkSignatures({ id, headers, body }: ReceivedMessage, { signingKey }: BenchWatch): void {
  const plain = createHmac('sha256', signingKey).update(body).digest('hex');
  check(headers['x-signature'] === `sha256=${plain}`, `x-signature of ${id}`);
  const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
  const standard = createHmac('sha256', signingKey).update(signed).digest('base64');
  check(headers['webhook-signature'] === `v1,${standard}`, `webhook-signature of ${id}`);
}

/** Checks that a message contains exactly what the log of the watch contains. */
function checkContent({ body, id }: ReceivedMessage, watch: BenchWatch, entry: BookEntry | undefined): void {
  const { type, timestamp, data } = webhookMessageSchema.parse(JSON.parse(body));
  check(entry !== undefined && 'sequence' in data, `${id} is in no log`);
  if (entry === undefined || !('before' in data) || !data.before || !data.after) return;
  const isSame =
    type === entry.type && data.sequence === entry.sequence && Date.parse(timestamp) === Date.parse(entry.at);
  check(isSame, `${id} differs from its log entry`);
  check(
    data.watch_id === watch.id && data.event_id === id && data.endpoint === watch.resource,
    `source of ${id}`,
  );
  const prices = [data.before, data.after].map((state) =>
    'options' in state ? state.options[0]?.amount : undefined,
  );
  check(JSON.stringify(prices) === JSON.stringify(entry.prices), `prices of ${id}`);
}

/** Checks the attempts of one message: the same id and body, and no attempt before its time. */
function checkAttempts(attempts: readonly ReceivedMessage[]): void {
  for (const [index, next] of attempts.entries()) {
    const previous = attempts[index - 1];
    if (previous === undefined) continue;
    check(previous.id === next.id && previous.body === next.body, `${next.id} changed between attempts`);
    const delay = DELAYS_SECONDS[index - 1] ?? Number.POSITIVE_INFINITY;
    const pause = previous.reaction === 429 ? PAUSE_SECONDS : 0;
    const minimum = Math.max(delay * (1 - MAX_JITTER_SHARE), pause);
    const waited = Number(next.headers['webhook-timestamp']) - Number(previous.headers['webhook-timestamp']);
    // Timestamps are whole seconds, so two of them can be one second closer than the attempts were.
    check(waited >= minimum - 1, `attempt ${index + 1} of ${next.id} was early: after ${waited} s`);
  }
}

/** Checks that the recorded state of a delivery agrees with what its receiver got. */
function checkDelivery(delivery: BookDelivery, attempts: readonly ReceivedMessage[]): void {
  const name = `${delivery.watch_id} ${delivery.sequence}`;
  const statuses = attempts.map(({ reaction }) => (typeof reaction === 'number' ? reaction : null));
  check(JSON.stringify(statuses) === JSON.stringify(delivery.statuses), `recorded attempts of ${name}`);
  const accepted = statuses.filter((status) => status === 200).length;
  check(accepted === (delivery.state === 'delivered' ? 1 : 0), `${name} was accepted ${accepted} times`);
  check(delivery.state !== 'pending', `${name} is still pending`);
  check(delivery.state !== 'exhausted' || attempts.length === MAX_ATTEMPTS, `attempts of ${name}`);
  if (delivery.state !== 'dropped') return;
  const { disabled_reason: reason, failing_hours: hours } = delivery;
  const isGone = reason === 'gone' && (statuses.length === 0 || statuses.at(-1) === 410);
  const isFailing = reason === 'failing' && (hours ?? 0) >= DISABLED_AFTER_HOURS;
  check(isGone || isFailing, `${name} was dropped without a reason`);
}

/** Checks that a destination got its messages in the order of their sequences. */
function checkOrder(messages: readonly ReceivedMessage[]): void {
  for (const [index, message] of messages.entries()) {
    const previous = messages[index - 1]?.sequence ?? 0;
    check(previous <= message.sequence, `${message.id} arrived after sequence ${previous}`);
  }
}

function groupBy<Item>(items: readonly Item[], toKey: (item: Item) => string): Map<string, Item[]> {
  return Map.groupBy(items, toKey);
}

const toKey = (watchId: string, sequence: number): string => `${watchId} ${sequence}`;

/**
 * Checks a completed run: nothing lost, nothing out of order, nothing that is not in a log, the same id in each attempt,
 * valid signatures, and every attempt recorded.
 *
 * @param received all messages that all receivers got, in the order of arrival
 * @throws Error with the first violation
 */
export function checkRun(
  watches: readonly BenchWatch[],
  received: readonly ReceivedMessage[],
  { entries, deliveries }: Books,
): Tally {
  const log = new Map(entries.map((entry) => [toKey(entry.watch_id, entry.sequence), entry]));
  const byDestination = groupBy(received, ({ destination }) => String(destination));
  const byMessage = new Map<string, ReceivedMessage[]>();
  for (const watch of watches) {
    const messages = byDestination.get(String(watch.destination)) ?? [];
    checkOrder(messages);
    for (const message of messages) {
      checkSignatures(message, watch);
      checkContent(message, watch, log.get(toKey(watch.id, message.sequence)));
    }
    for (const [key, attempts] of groupBy(messages, ({ sequence }) => toKey(watch.id, sequence))) {
      checkAttempts(attempts);
      byMessage.set(key, attempts);
    }
  }
  for (const delivery of deliveries) {
    const key = toKey(delivery.watch_id, delivery.sequence);
    checkDelivery(delivery, byMessage.get(key) ?? []);
    byMessage.delete(key);
  }
  check(byMessage.size === 0, `${byMessage.size} messages have no delivery`);
  checkAlerts(entries, deliveries);
  return count(deliveries, received);
}

/** Checks that the sequences of each log have no gap, and that each alert has a delivery. */
function checkAlerts(entries: readonly BookEntry[], deliveries: readonly BookDelivery[]): void {
  for (const [id, log] of groupBy(entries, ({ watch_id: watchId }) => watchId)) {
    check(
      log.every(({ sequence }, index) => sequence === index + 1),
      `the log of ${id} has a gap`,
    );
  }
  const known = new Set(deliveries.map(({ watch_id: id, sequence }) => toKey(id, sequence)));
  for (const { kind, watch_id: id, sequence } of entries)
    check(kind === 'lifecycle' || known.has(toKey(id, sequence)), `alert ${id} ${sequence} has no delivery`);
}

function count(deliveries: readonly BookDelivery[], received: readonly ReceivedMessage[]): Tally {
  const countState = (state: BookDelivery['state'], reason?: BookDelivery['disabled_reason']): number =>
    deliveries.filter(
      (each) => each.state === state && (reason === undefined || each.disabled_reason === reason),
    ).length;
  return {
    delivered: countState('delivered'),
    exhausted: countState('exhausted'),
    droppedGone: countState('dropped', 'gone'),
    droppedFailing: countState('dropped', 'failing'),
    requests: received.length,
    accepted: received.filter(({ reaction }) => reaction === 200).length,
  };
}
