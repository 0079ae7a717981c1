import { parseWatchCursor } from '@touchstone/contract';
import type { Cursors, NewEvents } from './read-events.ts';

/**
 * Creates a counter of the last event before which every event was read. After an incomplete read, it can be before the
 * cursors: one of the two lists may have been read further than the other. The log has one sequence without gaps for
 * both lists, so a missing number is an event that was not read.
 *
 * @param id id of the watch
 * @param start cursors of the first request
 */
export function createReadPosition(id: string, start: Cursors) {
  const toSequences = ({ alerts, watchEvents }: Cursors): readonly number[] =>
    [alerts, watchEvents].map((cursor) => parseWatchCursor(cursor, id) ?? 0);
  let position = Math.min(...toSequences(start));
  /** Events that were read after a gap. */
  const later = new Set<number>();
  return {
    /** Adds the events of a read. @returns the sequence number of the position */
    add: ({ events, cursors, isComplete }: Pick<NewEvents, 'events' | 'cursors' | 'isComplete'>): number => {
      for (const { data } of events) later.add(data.sequence);
      while (later.delete(position + 1)) position += 1;
      if (!isComplete) return position;
      later.clear();
      position = Math.max(position, ...toSequences(cursors));
      return position;
    },
  };
}
