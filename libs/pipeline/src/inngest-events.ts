import { eventType, staticSchema } from 'inngest';

/** Slots are due. The batch claims them itself; `key` only tells deliveries of the same event from other events. */
export const batchDue = eventType('touchstone/batch.due', { schema: staticSchema<{ key: string }>() });

/** It is time to look again at what was missed; `key` as above. */
export const missesDue = eventType('touchstone/misses.due', { schema: staticSchema<{ key: string }>() });

/** A directory is to be read. It is named, never addressed: only configured directories are asked. */
export const directoryDue = eventType('touchstone/directory.due', {
  schema: staticSchema<{ key: string; directory: string }>(),
});
