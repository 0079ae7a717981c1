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
import type { Rpc } from './rpc.ts';
import { startAnvil } from './start-anvil.ts';
import type { Anvil } from './start-anvil.ts';
import { createTaskQueue } from './task-queue.ts';

export interface ChainOptions extends GenesisAccounts {
  /** Path of the anvil executable; see `findAnvilBinary`. */
  readonly binary: string;
  /** Folder of the journal, `chain.jsonl`, and of the checkpoint, `chain-state.json`, which only saves time at the start. */
  readonly dataDir: string;
  /** Time of the genesis block, in seconds since 1970. */
  readonly genesis: number;
  /** Number of transactions between two checkpoints; default 2,000, which take about two seconds to replay. */
  readonly checkpointEvery?: number;
}

/** A chain whose blocks are recorded in a journal. */
export interface SandboxChain {
  readonly url: string;
  readonly rpc: Rpc;
  /** Resolves when the chain process exits for any reason. */
  readonly ended: Promise<void>;
  readonly head: () => Head;
  /**
   * Mines a block after all blocks that were requested before.
   * @param block a time before the latest block is raised to that of the latest block. Blocks can share a second.
   * Otherwise a few hundred payments in a minute would move the chain's time past the expiry of new authorizations.
   */
  readonly mine: (block: JournalBlock) => Promise<MinedBlock>;
  readonly stop: () => void;
}

interface StartedChain {
  readonly anvil: Anvil;
  readonly head: Head;
}

const DEFAULT_CHECKPOINT_EVERY = 2_000;

/** Starts from the checkpoint. Returns null when there is none, or when it does not match the journal. */
const startFromCheckpoint = async (
  options: ChainOptions,
  stateFile: string,
  journal: readonly JournalBlock[],
): Promise<StartedChain | null> => {
  if (!existsSync(stateFile)) return null;
  const anvil = await startAnvil({ ...options, stateFile }).catch(() => null);
  const head = anvil && (await readHead(anvil.rpc));
  if (anvil && head && matchesJournal(head, journal)) return { anvil, head };
  anvil?.stop();
  await deleteCheckpoint(stateFile);
  return null;
};

const startFromGenesis = async (options: ChainOptions): Promise<StartedChain> => {
  const anvil = await startAnvil({ ...options, stateFile: null });
  await writeGenesis(anvil.rpc, options);
  return { anvil, head: await readHead(anvil.rpc) };
};

/**
 * Opens the chain of a data folder, or creates it. After any exit of the process, the chain has the same blocks and hashes
 * as before. A checkpoint is used only when the journal confirms it; otherwise it is created again from the journal.
 * @throws StartupError when anvil does not start or the journal is damaged
 */
export const openChain = async (options: ChainOptions): Promise<SandboxChain> => {
  const file = join(options.dataDir, 'chain.jsonl');
  const stateFile = join(options.dataDir, 'chain-state.json');
  const journal = await readJournal(file);
  const { anvil, head: initialHead } =
    (await startFromCheckpoint(options, stateFile, journal)) ?? (await startFromGenesis(options));
  let head = initialHead;
  let transactionsSinceCheckpoint = 0;

  /** Every block in the journal must be on the chain. If that fails, the chain stops and the next start replays the journal. */
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
