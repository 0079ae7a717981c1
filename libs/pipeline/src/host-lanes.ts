import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Manners } from './manners.ts';

export interface LaneOrder<Item extends { readonly host: string }> {
  readonly items: readonly Item[];
  /** Runs for each item that is asked. When it rejects, nothing more is started. */
  readonly ask: (item: Item) => Promise<void>;
  /** How many are asked at the same time, in all and of one host. */
  readonly limits: { readonly inFlight: number; readonly perHost: number };
  readonly manners: Pick<Manners, 'heldUntil' | 'restMs' | 'start'>;
  /** Goes before what others ask in this process. */
  readonly urgent: boolean;
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
/** In an object, because a promise of a promise is waited for to its end. */
interface Begun {
  readonly asked: Promise<void>;
}
type Room = ReturnType<typeof pLimit>;

/** Waits for room. What comes back gives it to the next one. */
function enter(room: Room): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<() => void>();
  void room(() => new Promise<void>((leave) => resolve(leave)));
  return promise;
}

function lanesOf<Item extends { readonly host: string }>(
  host: string,
  queue: Item[],
  order: LaneOrder<Item> & { readonly overall: Room },
): readonly Lane[] {
  const { manners, now, stop, urgent, overall, ask } = order;
  // One at a time waits for the host, so that nobody waits for a start that another one needs.
  const turns = pLimit(1);
  const mayStart = (): boolean =>
    queue.length > 0 && !stop.aborted && manners.heldUntil(host, now()) === null;
  const startNext = async (leave: () => void): Promise<Begun | undefined> => {
    // The start comes last, at the moment at which it is used. Whatever was true before the waiting may be over.
    const item =
      mayStart() && (await manners.start({ host, urgent, signal: stop })) && mayStart()
        ? queue.shift()
        : undefined;
    if (item === undefined) leave();
    return item === undefined ? undefined : { asked: ask(item).finally(leave) };
  };
  const next = async () => {
    if (!mayStart()) return undefined;
    // The host is waited for outside of the room that all hosts share.
    const restMs = manners.restMs(host);
    if (restMs > 0) await sleep(restMs, undefined, { signal: stop }).catch(() => undefined);
    return startNext(await enter(overall));
  };
  const lane: Lane = async () => {
    while (mayStart()) await (await turns(next))?.asked;
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
