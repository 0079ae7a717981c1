import { setTimeout as sleep } from 'node:timers/promises';
import { payHistory } from './pay-history.ts';
import type { HistoryOptions } from './pay-history.ts';
import { payPresent } from './pay-present.ts';
import type { PresentOptions } from './pay-present.ts';
import { plannedCalls } from './planned-calls.ts';
import type { PlanOptions } from './planned-calls.ts';

export interface AgentsOptions extends PlanOptions, HistoryOptions, PresentOptions {
  /** World time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Hears of what goes wrong, in one line. */
  readonly warn: (message: string) => void;
}

/** Everybody who buys in the sandbox. */
export interface Agents {
  /**
   * Follows the world's clock: up to a moment at which it stands still, and with null from now on in real time. Before
   * they are told for the first time they buy nothing, so that a world's past can be lived through first.
   * @param at milliseconds since 1970
   */
  readonly follow: (at: number | null) => void;
  /** Everything up to this world time is bought, in milliseconds since 1970. */
  readonly paidThrough: () => number;
  readonly stop: () => void;
}

/** Calls of the past share a block with those of the same half hour. */
const SLOT_MS = 1_800_000;
const TICK_MS = 5_000;
/** In real time a block is made at least this often: what reads a chain takes one whose last block is old for stuck. */
const BLOCK_SECONDS = 600;

/** The ends of the half hours in a span of time, and the span's own end, in whole seconds as blocks have them. */
const slotEnds = (after: number, through: number, epoch: number): number[] => {
  const ends: number[] = [];
  const first = epoch + (Math.floor((after - epoch) / SLOT_MS) + 1) * SLOT_MS;
  for (let end = first; end < through; end += SLOT_MS) ends.push(Math.floor(end / 1_000) * 1_000);
  return [...ends, Math.floor(through / 1_000) * 1_000].filter((end) => end > after);
};

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Lets the agents live: the past in bulk on the chain, the present over HTTP. */
export const startAgents = (options: AgentsOptions): Agents => {
  const { chain, refunds, epoch, now, warn } = options;
  let through = chain.head().at * 1_000;
  let target: number | null | undefined;
  let working = false;
  const stopped = new AbortController();

  const past = async (until: number): Promise<void> => {
    for (const end of slotEnds(through, until, epoch)) {
      if (stopped.signal.aborted) return;
      const calls = plannedCalls(options, { after: through, through: end });
      await payHistory(calls, end / 1_000, options);
      through = end;
    }
  };

  const present = async (): Promise<void> => {
    const end = now();
    const at = Math.floor(end / 1_000);
    if (at - chain.head().at >= BLOCK_SECONDS) await chain.mine({ at, unsigned: [], signed: [] });
    const calls = plannedCalls(options, { after: Math.max(through, end - TICK_MS * 3), through: end });
    through = Math.max(through, end);
    for (const call of calls) {
      const entry = await payPresent(call, options).catch(() => null);
      if (entry) refunds.note([entry]);
    }
    const unsigned = refunds.due(end);
    if (unsigned.length > 0) await chain.mine({ at, unsigned, signed: [] });
  };

  const work = async (): Promise<void> => {
    while (!stopped.signal.aborted && target !== undefined) {
      if (target !== null && target - through < 1_000) return;
      if (target !== null) await past(target);
      else await present().then(() => sleep(TICK_MS, null, { signal: stopped.signal }));
    }
  };

  const wake = (): void => {
    if (working) return;
    working = true;
    work()
      .catch((error: unknown) => {
        if (!stopped.signal.aborted) warn(`the agents stopped buying: ${reasonOf(error)}`);
      })
      .finally(() => {
        working = false;
      });
  };

  return {
    follow: (at) => {
      target = at;
      wake();
    },
    paidThrough: () => through,
    stop: () => stopped.abort(),
  };
};
