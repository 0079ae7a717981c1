import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { deleteCheckpoint, matchesJournal, readHead, saveCheckpoint } from './checkpoint.ts';
import type { Head } from './checkpoint.ts';
import { writeGenesis } from './genesis.ts';
import type { GenesisAccounts } from './genesis.ts';
import { appendToJournal, readJournal } from './journal.ts';
import type { JournalBlock } from './journal.ts';
import { completeBlock, mineBlock } from './mine-block.ts';
import type { MinedBlock } from './mine-block.ts';
import type { ChainNetwork } from './network.ts';
import type { Rpc } from './rpc.ts';
import { startAnvil } from './start-anvil.ts';
import type { Anvil } from './start-anvil.ts';
import { createTaskQueue } from './task-queue.ts';

export interface ChainOptions extends GenesisAccounts {
  readonly network: ChainNetwork;
  /** Path of the anvil executable; see `findAnvilBinary`. */
  readonly binary: string;
  /**
   * Folder with the journal (`chain.jsonl`) and the checkpoint (`chain-state.json`). Their names begin with the
   * network's `filePrefix`. The checkpoint only makes the start faster.
   */
  readonly dataDir: string;
  /** Time of the genesis block, in seconds since 1970. */
  readonly genesis: number;
  /** Number of transactions between two checkpoints. The default is 2,000, whose replay takes about two seconds. */
  readonly checkpointEvery?: number;
}

/** A chain whose blocks are recorded in a journal. */
export interface SandboxChain {
  readonly network: ChainNetwork;
  readonly url: string;
  readonly rpc: Rpc;
  /** Resolves when the chain process exits for any reason. */
  readonly ended: Promise<void>;
  readonly head: () => Head;
  /**
   * Mines a block. Concurrent calls are processed in the order in which they were made.
   * @param block contents of the block. If `at` is earlier than the latest block, the new block gets the time of the
   * latest block. Blocks can have the same time: if each block were a second later, a few hundred payments in a minute
   * would move the chain's time past the expiry of new authorizations.
   */
  readonly mine: (block: JournalBlock) => Promise<MinedBlock>;
  readonly stop: () => void;
}

interface StartedChain {
  readonly anvil: Anvil;
  readonly head: Head;
}

const DEFAULT_CHECKPOINT_EVERY = 2_000;

/**
 * Starts the chain from the checkpoint. Returns null when there is no checkpoint, or when it cannot be loaded or does
 * not match the journal.
 */
const startFromCheckpoint = async (
  options: ChainOptions,
  stateFile: string,
  journal: readonly JournalBlock[],
): Promise<StartedChain | null> => {
  if (!existsSync(stateFile)) return null;
  const anvil = await startAnvil({ ...options, chainId: options.network.viemChain.id, stateFile }).catch(
    () => null,
  );
  const head = anvil && (await readHead(anvil.rpc));
  if (anvil && head && matchesJournal(head, journal)) return { anvil, head };
  anvil?.stop();
  await deleteCheckpoint(stateFile);
  return null;
};

const startFromGenesis = async (options: ChainOptions): Promise<StartedChain> => {
  const anvil = await startAnvil({ ...options, chainId: options.network.viemChain.id, stateFile: null });
  await writeGenesis(anvil.rpc, { ...options, usdc: options.network.usdc });
  return { anvil, head: await readHead(anvil.rpc) };
};

/**
 * Opens the chain of a data folder, and creates it at the first start. After a restart, even after a crash, the chain
 * has the same blocks and hashes as before. The chain is restored from the checkpoint if the checkpoint matches the
 * journal, and otherwise by replaying the whole journal.
 * @throws StartupError when anvil does not start or the journal is damaged
 */
export const openChain = async (options: ChainOptions): Promise<SandboxChain> => {
  const { network, dataDir } = options;
  const file = join(dataDir, `${network.filePrefix}.jsonl`);
  const stateFile = join(dataDir, `${network.filePrefix}-state.json`);
  const journal = await readJournal(file);
  const { anvil, head: initialHead } =
    (await startFromCheckpoint(options, stateFile, journal)) ?? (await startFromGenesis(options));
  let head = initialHead;
  let transactionsSinceCheckpoint = 0;

  /**
   * Completes a block that is in the journal but may be missing on the chain. When this fails, the chain stops, and the
   * next start replays the journal.
   */
  const complete = async (block: JournalBlock): Promise<MinedBlock> => {
    try {
      return await completeBlock(anvil.rpc, block, head.number + 1);
    } catch (error) {
      anvil.stop();
      throw error;
    }
  };
  const apply = async (block: JournalBlock): Promise<MinedBlock> => {
    const mined = await mineBlock(anvil.rpc, block).catch(() => complete(block));
    head = { number: head.number + 1, at: block.at };
    transactionsSinceCheckpoint += block.signed.length + block.unsigned.length;
    if (transactionsSinceCheckpoint >= (options.checkpointEvery ?? DEFAULT_CHECKPOINT_EVERY)) {
      await saveCheckpoint(anvil.rpc, stateFile);
      transactionsSinceCheckpoint = 0;
    }
    return mined;
  };
  for (const block of journal.slice(head.number)) await apply(block);

  const enqueue = createTaskQueue();
  return {
    network,
    url: anvil.url,
    rpc: anvil.rpc,
    ended: anvil.ended,
    head: () => head,
    mine: (draft) =>
      enqueue(async () => {
        const block = { ...draft, at: Math.max(draft.at, head.at) };
        await appendToJournal(file, block);
        return apply(block);
      }),
    stop: anvil.stop,
  };
};
