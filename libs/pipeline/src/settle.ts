import { ChainUnreadable, readSettlements } from '@touchstone/chain';
import { openChainLanes, readChainLanes, recordSettlements, type ChainLane } from '@touchstone/store';
import type { ChainSource } from './chain-source.ts';
import type { PipelineContext } from './context.ts';

/** Steps of one network at a time: with the 9,000 blocks that a step asks for, 30 days of Base are 145 of them. */
const MAX_STEPS = 20;
/** Times that a run goes on with one network, so that no other one waits for days of its past. */
const MAX_TURNS = 10;

interface NetworkSettled {
  /** CAIP-2 id. */
  readonly network: string;
  readonly steps: number;
  /** Settlements that were new, and those that a re-org took back. */
  readonly recorded: number;
  readonly removed: number;
  /** Whether nothing was left to read; the next run goes on where this one ended. */
  readonly caughtUp: boolean;
}

/** A network that could not be read, and why: nothing is known of it now, which is not zero. */
interface Unreadable {
  readonly network: string;
  readonly unreadable: string;
}

interface SettleSummary {
  readonly networks: readonly NetworkSettled[];
  readonly unreadable: readonly Unreadable[];
}

/** What one turn of a network came to. */
export type Turn = NetworkSettled | Unreadable;

type SettleContext = Pick<PipelineContext, 'db' | 'now' | 'chains'>;

/** Reads what was paid to the wallets that endpoints advertise, on every network that is configured. */
export function settle(context: SettleContext): Promise<SettleSummary> {
  return settleInTurns(context.chains ?? [], (chain) => settleTurn(context, chain));
}

/**
 * Goes on with each network, turn by turn, until it has caught up, cannot be read, or has had its turns.
 *
 * @param take takes a turn of a network; turns are counted from 1
 */
export async function settleInTurns(
  chains: readonly ChainSource[],
  take: (chain: ChainSource, turn: number) => Promise<Turn>,
): Promise<SettleSummary> {
  const networks: NetworkSettled[] = [];
  const unreadable: Unreadable[] = [];
  for (const chain of chains) {
    let total: NetworkSettled | null = null;
    for (let turn = 1; turn <= MAX_TURNS; turn += 1) {
      const next = await take(chain, turn);
      if ('unreadable' in next) {
        unreadable.push(next);
        break;
      }
      total = total === null ? next : addSettled(total, next);
      if (next.caughtUp) break;
    }
    if (total !== null) networks.push(total);
  }
  return { networks, unreadable };
}

/** One turn of a network, or why it cannot be read. */
export async function settleTurn(context: SettleContext, chain: ChainSource): Promise<Turn> {
  try {
    return await settleNetwork(context, chain);
  } catch (error) {
    if (!(error instanceof ChainUnreadable)) throw error;
    return { network: chain.providers.network, unreadable: error.message };
  }
}

/** Two turns of one network as one. */
function addSettled(one: NetworkSettled, next: NetworkSettled): NetworkSettled {
  const { network, caughtUp } = next;
  return {
    network,
    steps: one.steps + next.steps,
    recorded: one.recorded + next.recorded,
    removed: one.removed + next.removed,
    caughtUp,
  };
}

/**
 * Reads one network step by step for one turn, and stores each step with the place where it ended. What was stored stays
 * when a later step fails.
 *
 * @throws ChainUnreadable when none of its providers could be read
 */
async function settleNetwork(context: SettleContext, chain: ChainSource): Promise<NetworkSettled> {
  const { db, now } = context;
  const { network } = chain.providers;
  await openChainLanes(db, { network, now: now() });
  const total = { steps: 0, recorded: 0, removed: 0 };
  for (;;) {
    const lanes = await readChainLanes(db, network);
    let isDone = true;
    for (const lane of lanes) {
      if (total.steps === MAX_STEPS) return { network, ...total, caughtUp: false };
      total.steps += 1;
      const step = await readLane(chain, lane);
      const place = { network, lane: lane.lane, revision: lane.revision, now: now() };
      const { recorded, removed, stale } = await recordSettlements(db, place, step);
      total.recorded += recorded;
      total.removed += removed;
      // A lane that was changed by somebody else is read again; one behind the first joins it in a later turn.
      if (stale || !step.caughtUp || lane.lane > 0) isDone = false;
      // What a re-org took back was taken back in every lane.
      if (step.removedFrom !== null) break;
    }
    if (isDone) return { network, ...total, caughtUp: true };
  }
}

function readLane({ providers, confirmations }: ChainSource, { wallets, cursor, since, until }: ChainLane) {
  const { network } = providers;
  return readSettlements({
    network,
    providers,
    wallets,
    cursor,
    since,
    ...(until === null ? {} : { until }),
    ...(confirmations === undefined ? {} : { confirmations }),
  });
}
