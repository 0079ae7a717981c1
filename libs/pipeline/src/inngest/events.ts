import { eventType, internalEvents, staticSchema } from 'inngest';

/**
 * Event that requests one batch of probes. The batch claims its probe slots in the database, so the event contains only
 * a unique `key`.
 */
export const batchDue = eventType('touchstone/batch.due', { schema: staticSchema<{ key: string }>() });

/** Event that requests one run of rechecks. It contains only a unique `key`. */
export const missesDue = eventType('touchstone/misses.due', { schema: staticSchema<{ key: string }>() });

/**
 * Event that Inngest sends when a run has failed in all its attempts. The fields of the error depend on the version of
 * Inngest.
 */
export const functionFailed = eventType(internalEvents.FunctionFailed, {
  schema: staticSchema<{ function_id: string; run_id: string; error?: { message?: string } }>(),
});

/** Event that requests a run of deliveries, because new events of watches may be due. */
export const deliveriesDue = eventType('touchstone/deliveries.due', {
  schema: staticSchema<{ key: string }>(),
});

/**
 * Event that requests the reading of one directory. It contains the name of the directory and no URL, so only
 * configured directories can be read. `key` makes the event unique.
 */
export const directoryDue = eventType('touchstone/directory.due', {
  schema: staticSchema<{ key: string; directory: string }>(),
});
