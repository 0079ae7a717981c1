import { eventType, staticSchema } from 'inngest';

/** A batch of slots is due. The batch claims its slots itself; `key` only distinguishes one event from another. */
export const batchDue = eventType('touchstone/batch.due', { schema: staticSchema<{ key: string }>() });

/** Rechecks are due; `key` as above. */
export const missesDue = eventType('touchstone/misses.due', { schema: staticSchema<{ key: string }>() });

/** A directory is to be read. The event has its name and no URL, so only configured directories are read. */
export const directoryDue = eventType('touchstone/directory.due', {
  schema: staticSchema<{ key: string; directory: string }>(),
});
