import { ChainUnreadableError, readSettlements } from '@touchstone/chain';
import { assignWalletGroups, readWalletGroups, recordSettlements, type WalletGroup } from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import { addCounts } from '../add-counts.ts';
import { runBatches, type StepContext } from '../steps.ts';
import { limitProviders, type ChainSource } from '../chain-source.ts';

/** Maximum number of steps per batch. A step reads 9,000 blocks, so 30 days of Base take 145 steps. */
const MAX_STEPS = 20;
/** Maximum number of batches per network and run, so that a network with a backlog does not delay other networks. */
const MAX_BATCHES = 10;

interface NetworkSettled {
  /** CAIP-2 id. */
  readonly network: string;
  readonly steps: number;
  /** Number of new settlements, and number of settlements that a reorg removed. */
  readonly recorded: number;
  readonly removed: number;
  /** True when all blocks up to the head of the chain were read. Otherwise the next run reads the remaining blocks. */
  readonly caughtUp: boolean;
  /** True when the batch reached its deadline before it had read all blocks; otherwise absent. */
  readonly isLate?: true;
}

/**
 * Network that could not be read, and the reason. The settlements of this network count as not measured, not as zero.
 */
interface Unreadable {
  readonly network: string;
  readonly unreadable: string;
}

interface SettleSummary {
  readonly networks: readonly NetworkSettled[];
  readonly unreadable: readonly Unreadable[];
}

type SettleContext = Pick<PipelineContext, 'db' | 'now' | 'chains'> & StepContext;

/**
 * Reads the settled payments to all wallets that endpoints advertise, on every configured network. Each network is read in
 * batches until all blocks are read, the network cannot be read, a batch reaches its deadline, or the maximum number of
 * batches is reached. A slow network therefore delays the other networks by at most one batch.
 */
export async function settle(context: SettleContext): Promise<SettleSummary> {
  const networks: NetworkSettled[] = [];
  const unreadable: Unreadable[] = [];
  for (const chain of context.chains ?? []) {
    const batches = await runBatches(context, {
      name: `settle ${chain.providers.network}`,
      max: MAX_BATCHES,
      run: () => settleBatch(context, chain),
      isLast: (batch) => 'unreadable' in batch || batch.caughtUp || batch.isLate === true,
    });
    const settled = batches.flatMap((batch) => ('unreadable' in batch ? [] : [batch]));
    unreadable.push(...batches.flatMap((batch) => ('unreadable' in batch ? [batch] : [])));
    if (settled.length > 0) networks.push(settled.reduce(addSettled));
  }
  return { networks, unreadable };
}

/**
 * Runs one batch of a network. Returns the reason when the network cannot be read. At the deadline, the batch ends
 * after the steps that are stored. If no step is stored, the network counts as unreadable.
 */
export async function settleBatch(
  context: SettleContext,
  chain: ChainSource,
): Promise<NetworkSettled | Unreadable> {
  const { signal } = context;
  const { network } = chain.providers;
  const total = { steps: 0, recorded: 0, removed: 0 };
  const isAborted = (): boolean => signal?.aborted === true;
  const limited = { ...chain, providers: limitProviders(chain.providers, signal) };
  try {
    const caughtUp = await settleNetwork(context, { chain: limited, total, isAborted });
    return { network, ...total, caughtUp, ...(!caughtUp && isAborted() ? { isLate: true } : {}) };
  } catch (error) {
    if (!(error instanceof ChainUnreadableError)) throw error;
    if (isAborted() && total.steps > 0) return { network, ...total, caughtUp: false, isLate: true };
    return { network, unreadable: error.message };
  }
}

/** Adds the counts of two batches of one network. All other members have the values of the later batch. */
function addSettled(one: NetworkSettled, next: NetworkSettled): NetworkSettled {
  const { steps, recorded, removed } = one;
  return { ...next, ...addCounts({ steps, recorded, removed }, next) };
}

interface NetworkBatch {
  readonly chain: ChainSource;
  /** Numbers of stored steps, recorded settlements and removed settlements. Each step adds to these numbers. */
  readonly total: { steps: number; recorded: number; removed: number };
  /** Returns true after the deadline. */
  readonly isAborted: () => boolean;
}

/**
 * Reads one network step by step. Each step is stored together with the position where it ended, so stored steps remain
 * when a later step fails.
 *
 * @returns true when all blocks up to the head of the chain were read
 * @throws ChainUnreadableError when no RPC provider of the network could be read
 */
async function settleNetwork(
  { db, now }: SettleContext,
  { chain, total, isAborted }: NetworkBatch,
): Promise<boolean> {
  const { network } = chain.providers;
  await assignWalletGroups(db, { network, now: now() });
  for (;;) {
    const walletGroups = await readWalletGroups(db, network);
    let isDone = true;
    for (const { group, revision, ...walletGroup } of walletGroups) {
      if (total.steps === MAX_STEPS || isAborted()) return false;
      const step = await readStep(chain, walletGroup);
      const position = { network, group, revision, now: now() };
      const { recorded, removed, stale } = await recordSettlements(db, position, step);
      total.steps += 1;
      total.recorded += recorded;
      total.removed += removed;
      // All wallet groups are read again in three cases. Another worker changed this wallet group (`stale`). Some
      // blocks are not read yet. The number of the group is above 0: the wallets of such a group join wallet group 0
      // when both groups have reached the same block.
      if (stale || !step.caughtUp || group > 0) isDone = false;
      // A reorg removes settlements from every wallet group, so all wallet groups are read again.
      if (step.removedFrom !== null) break;
    }
    if (isDone) return true;
  }
}

function readStep(
  { providers, confirmations }: ChainSource,
  { wallets, cursor, since, until }: Omit<WalletGroup, 'group' | 'revision'>,
) {
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
