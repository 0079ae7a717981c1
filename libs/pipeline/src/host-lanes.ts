import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Manners } from './manners.ts';

export interface LaneOrder<Item extends { readonly host: string }> {
  readonly items: readonly Item[];
  /** Runs for each item that is asked. When it rejects, nothing more is started. */
  readonly ask: (item: Item) => Promise<void>;
  /** How many are asked at the same time, in all and of one host. */
  readonly limits: { readonly inFlight: number; readonly perHost: number };
  readonly manners: Pick<Manners, 'heldUntil' | 'reserve'>;
  /** Milliseconds since the epoch, for what hosts asked for. */
  readonly now: () => number;
  /** Nothing is started once it is aborted. */
  readonly stop: AbortSignal;
}

/** What was not asked: because its host wants a pause, or because time was up. */
export interface Unasked<Item> {
  readonly held: readonly Item[];
  readonly late: readonly Item[];
}

type Lane = () => Promise<void>;

function lanesOf<Item extends { readonly host: string }>(
  host: string,
  queue: Item[],
  order: LaneOrder<Item> & { readonly overall: ReturnType<typeof pLimit> },
): readonly Lane[] {
  const { manners, now, stop, overall, ask } = order;
  const mayStart = (): boolean =>
    queue.length > 0 && !stop.aborted && manners.heldUntil(host, now()) === null;
  const next = async (): Promise<void> => {
    // Whatever was true when it began to wait may be over.
    const item = mayStart() ? queue.shift() : undefined;
    if (item !== undefined) await ask(item);
  };
  const lane: Lane = async () => {
    while (mayStart()) {
      const waitMs = manners.reserve(host);
      if (waitMs > 0) await sleep(waitMs, undefined, { signal: stop }).catch(() => undefined);
      await overall(next);
    }
  };
  return Array.from({ length: Math.min(order.limits.perHost, queue.length) }, () => lane);
}

/**
 * Asks all items, each host in lanes of its own, so that one that is slow, or that allows little, keeps nobody else
 * waiting. A host that asks for a pause is left alone from then on; what is under way is always waited for.
 *
 * @returns What was not asked. Rejects with the first failure of `ask`, when nothing is under way any more.
 */
export async function askInLanes<Item extends { readonly host: string }>(
  order: LaneOrder<Item>,
): Promise<Unasked<Item>> {
  const broken = new AbortController();
  const stop = AbortSignal.any([order.stop, broken.signal]);
  const overall = pLimit(order.limits.inFlight);
  const queues = Map.groupBy(order.items, ({ host }) => host);
  const lanes = [...queues].flatMap(([host, queue]) => lanesOf(host, queue, { ...order, stop, overall }));
  const ends = lanes.map((lane) =>
    lane().catch((error: unknown) => {
      broken.abort();
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(ends)).find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const left = [...queues].map(([host, queue]) => ({ isHeld: isHeld(order, host), queue }));
  return {
    held: left.flatMap(({ isHeld: held, queue }) => (held ? queue : [])),
    late: left.flatMap(({ isHeld: held, queue }) => (held ? [] : queue)),
  };
}

function isHeld({ manners, now }: Pick<LaneOrder<never>, 'manners' | 'now'>, host: string): boolean {
  return manners.heldUntil(host, now()) !== null;
}
