import { join } from 'node:path';
import { toErrorMessage } from '../startup-error.ts';
import { CurrentChain } from './current-chain.ts';
import { saveCheckpoint, appendToJournal, readJournal, type Head, type JournalBlock } from './journal.ts';
import { completeBlock, mineBlock, type MinedBlock } from './mine-block.ts';
import type { ChainNetwork } from './network.ts';
import { createRpc, type Rpc } from './rpc.ts';
import { getStateFile, startChain, type StartChainOptions } from './start-chain.ts';
import { createTaskQueue } from './task-queue.ts';

export interface ChainOptions extends Omit<StartChainOptions, 'port'> {
  /** Port of the chain; any free port by default. */
  readonly port?: number;
  /** Number of transactions between two checkpoints. The default is 2,000, whose replay takes about two seconds. */
  readonly checkpointEvery?: number;
  /** Reports that the chain process ended and was restarted, in one line. */
  readonly report?: (message: string) => void;
}

/** A chain whose blocks are recorded in a journal. Its process is restarted when it ends. */
export interface SandboxChain {
  readonly network: ChainNetwork;
  readonly url: string;
  readonly rpc: Rpc;
  /** Resolves when the chain process has exited after `stop`. */
  readonly ended: Promise<void>;
  readonly head: () => Head;
  /** Returns false while the chain process is restarted. */
  readonly isRunning: () => boolean;
  /** Resolves when the chain process runs. Rejects when the chain was stopped. */
  readonly untilRunning: () => Promise<void>;
  /**
   * Mines a block. Concurrent calls are processed in the order in which they were made. While the chain process is
   * restarted, calls wait.
   * @param block contents of the block. If `at` is earlier than the latest block, the new block gets the time of the
   * latest block. Blocks can have the same time: if each block were a second later, a few hundred payments in a minute
   * would move the chain's time past the expiry of new authorizations.
   */
  readonly mine: (block: JournalBlock) => Promise<MinedBlock>;
  readonly stop: () => void;
}

const DEFAULT_CHECKPOINT_EVERY = 2_000;

/**
 * Creates a function that saves a checkpoint after a number of transactions. A failure is reported and has no other
 * effect, because the checkpoint only makes the start faster.
 * @param replayed number of blocks that the last start replayed; most blocks have one transaction
 */
function createCheckpointSaver(options: ChainOptions, replayed: number) {
  const { network, checkpointEvery = DEFAULT_CHECKPOINT_EVERY, report } = options;
  let transactions = replayed;
  return async (rpc: Rpc, { signed, unsigned }: JournalBlock): Promise<void> => {
    transactions += signed.length + unsigned.length;
    if (transactions < checkpointEvery) return;
    transactions = 0;
    await saveCheckpoint(rpc, getStateFile(options)).catch((error: unknown) =>
      report?.(`chain of ${network.id}: no checkpoint was saved (${toErrorMessage(error)})`),
    );
  };
}

/**
 * Opens the chain of a data folder, and creates it at the first start. After a restart, even after a crash, the chain
 * has the same blocks and hashes as before. A chain process that ends is restarted on the same port.
 * @throws StartupError when anvil does not start or the journal is damaged
 */
export async function openChain(options: ChainOptions): Promise<SandboxChain> {
  const { network, dataDir, port = 0, report = () => undefined } = options;
  const file = join(dataDir, `chain-${network.viemChain.id}.jsonl`);
  const current = new CurrentChain();
  const first = await startChain({ ...options, port }, await readJournal(file));
  const { url } = first.anvil;
  let { head } = first;
  let lastAppend: Promise<void> = Promise.resolve();

  const running = current.keepRunning(first, {
    start: async () => {
      // A restart reads the journal, so an unfinished write to it must end first.
      await lastAppend.catch(() => undefined);
      return startChain({ ...options, port: Number(new URL(url).port) }, await readJournal(file));
    },
    report: (text) => report(`chain of ${network.id} ${text}`),
  });

  /**
   * Mines a block that is in the journal. When the node fails, its process is stopped. The restart replays the journal,
   * so the block exists afterwards.
   */
  const apply = async (block: JournalBlock, number: number): Promise<MinedBlock> => {
    const started = await current.get();
    const { rpc } = started.anvil;
    try {
      const isReplayed = started.head.number >= number;
      return await (isReplayed ? completeBlock(rpc, block, number) : mineBlock(rpc, block)).catch(() =>
        completeBlock(rpc, block, number),
      );
    } catch {
      started.anvil.stop();
      await started.anvil.ended;
      return apply(block, number);
    }
  };
  const saveCheckpointIfDue = createCheckpointSaver(options, first.replayed);

  const enqueue = createTaskQueue();
  return {
    network,
    url,
    rpc: createRpc(url),
    ended: running,
    head: () => head,
    isRunning: () => current.isRunning(),
    untilRunning: async () => {
      await current.get();
    },
    mine: (draft) =>
      enqueue(async () => {
        await current.get();
        const block = { ...draft, at: Math.max(draft.at, head.at) };
        lastAppend = appendToJournal(file, block);
        await lastAppend;
        head = { number: head.number + 1, at: block.at };
        const mined = await apply(block, head.number);
        await saveCheckpointIfDue((await current.get()).anvil.rpc, block);
        return mined;
      }),
    stop: () => current.stop(),
  };
}
