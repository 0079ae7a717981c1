import { z } from 'zod';

export const WATCH_ID_EXAMPLE = 'w_k5xgq2dlmvzw433bnz2gs3tbme';

const ID = '[a-z2-7]{26}';
const WATCH_ID_EXPECTATION = `must be the id of a watch, such as ${WATCH_ID_EXAMPLE}`;

/** Schema of the id of a watch: `w_` and 26 lower-case base32 characters. */
export const watchIdSchema = z
  .string({ error: WATCH_ID_EXPECTATION })
  .regex(new RegExp(`^w_${ID}$`), { error: WATCH_ID_EXPECTATION });

/** Pattern of an event id and of a cursor: the characters of the watch id and a sequence number. */
export const EVENT_ID_PATTERN = new RegExp(`^evt_${ID}_(0|[1-9][0-9]{0,9})$`);

/** Largest sequence number: the largest `integer` of PostgreSQL. */
const MAX_SEQUENCE = 2_147_483_647;

/**
 * Returns the id of an event of a watch. A cursor has the same format: a cursor is the id of the last event that the
 * client has read, or has the sequence number 0 before the first event.
 *
 * @param watchId id of the watch, such as `w_k5xgq2dlmvzw433bnz2gs3tbme`
 * @param sequence position of the event in the log of the watch, from 1
 */
export function formatEventId(watchId: string, sequence: number): string {
  return `evt_${watchId.slice('w_'.length)}_${String(sequence)}`;
}

/**
 * Returns the sequence number of a cursor or an event id of a watch.
 *
 * @returns null for any other text, such as a cursor of another watch
 */
export function parseWatchCursor(text: string, watchId: string): number | null {
  if (!EVENT_ID_PATTERN.test(text)) return null;
  const sequence = Number(text.slice(text.lastIndexOf('_') + 1));
  return sequence <= MAX_SEQUENCE && formatEventId(watchId, sequence) === text ? sequence : null;
}
