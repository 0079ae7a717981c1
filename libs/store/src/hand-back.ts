import { unwrap, type Db } from './client.ts';
import { isoTime } from './time.ts';

/** A claimed slot; `slotAt` in milliseconds since the epoch. */
export interface Slot {
  readonly endpointId: string;
  readonly slotAt: number;
}

/**
 * Gives back slots that their owner claimed and did not probe.
 *
 * @param order - With `again` they are due at once, for any worker; without, they are let go until the endpoint's next.
 * @returns How many were still held by the owner.
 */
export async function handBackSlots(
  db: Db,
  order: { readonly owner: string; readonly slots: readonly Slot[]; readonly again: boolean },
): Promise<number> {
  if (order.slots.length === 0) return 0;
  const answer = await db.rpc('hand_back_slots', {
    p_owner: order.owner,
    p_endpoint_ids: order.slots.map(({ endpointId }) => endpointId),
    p_slots: order.slots.map(({ slotAt }) => isoTime(slotAt)),
    p_again: order.again,
  });
  return unwrap('hand back slots', answer);
}
