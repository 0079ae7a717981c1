import {
  watchCreatedSchema,
  watchEditedSchema,
  watchEventsSchema,
  watchRenewedSchema,
  watchSchema,
} from '@touchstone/contract';
import { z } from 'zod';

/**
 * Schemas of received responses on watches. Unknown members and unknown types of events are accepted, because newer
 * services may add some.
 */

const typeName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);
const typeNames = z.array(typeName).max(100);

const { shape: created } = watchCreatedSchema;
const tests = z.array(z.object(created.delivery.shape.connection_test.element.shape)).max(100);

/** Response to the purchase of a watch. */
export const receivedCreatedSchema = z.object({
  ...created,
  events: typeNames,
  delivery: z.object({ connection_test: tests }),
});

const destinations = z
  .array(z.object({ ...watchSchema.shape.delivery.shape.webhooks.element.shape, channel: typeName }))
  .max(100);
const delivery = z.object({ webhooks: destinations, chats: destinations });

/** A watch as its owner sees it. */
export const receivedWatchSchema = z.object({ ...watchSchema.shape, events: typeNames, delivery });
/** Response to an edit. */
export const receivedEditedSchema = z.object({
  ...watchEditedSchema.shape,
  events: typeNames,
  delivery,
  connection_test: tests,
});
/** Response to a renewal. */
export const receivedRenewedSchema = z.object(watchRenewedSchema.shape);

const { shape: page } = watchEventsSchema;
const data = z.looseObject({
  sequence: page.events.element.shape.data.shape.sequence,
  summary: page.events.element.shape.data.shape.summary,
});
const event = z.looseObject({ ...page.events.element.shape, type: typeName, data });
const events = z.array(event).max(1_000);
/** Events of a watch after two cursors. */
export const receivedEventsSchema = z.object({ ...page, events, watch_events: events });

export type ReceivedCreated = z.infer<typeof receivedCreatedSchema>;
export type ReceivedWatch = z.infer<typeof receivedWatchSchema>;
export type ReceivedRenewed = z.infer<typeof receivedRenewedSchema>;
export type ReceivedTests = z.infer<typeof tests>;
export type ReceivedEvent = z.infer<typeof event>;
