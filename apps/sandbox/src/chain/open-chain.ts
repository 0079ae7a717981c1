import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { belongsTo, dropCheckpoint, readHead, saveCheckpoint } from './checkpoint.ts';
import type { Head } from './checkpoint.ts';
import { layGenesis } from './genesis.ts';
import type { Settlers } from './genesis.ts';
import { appendToJournal, readJournal } from './journal.ts';
import type { JournalBlock } from './journal.ts';
import { finishBlock, mineBlock } from './mine-block.ts';
import type { MinedBlock } from './mine-block.ts';
import type { Rpc } from './rpc.ts';
import { startAnvil } from './start-anvil.ts';
import type { Anvil } from './start-anvil.ts';

export interface ChainOptions extends Settlers {
  /** See `anvilBinary`. */
  readonly binary: string;
  /** Keeps `chain.jsonl`, the journal, and `chain-state.json`, a state that is only there to save time. */
  readonly dataDir: string;
  /** Time of the first block, seconds since 1970. */
  readonly genesis: number;
  /** After so many transactions the state is kept anew; default 2,000, which are replayed in about two seconds. */
  readonly checkpointEvery?: number;
}

/** A chain that is made of what its journal says. */
export interface SandboxChain {
  readonly url: string;
  readonly rpc: Rpc;
  /** Settles when the chain's program ends, whoever ended it. */
  readonly ended: Promise<void>;
  readonly head: () => Head;
  /**
   * Makes a block, after every block that was asked for before.
   * @param block its time is moved to that of the last block, where it is earlier. Blocks may share a second: were each to
   * take one of its own, a few hundred payments in a minute would carry the chain past the end of what is signed now
   */
  readonly mine: (block: JournalBlock) => Promise<MinedBlock>;
  readonly stop: () => void;
}

interface Resumed {
  readonly anvil: Anvil;
  readonly head: Head;
}

const CHECKPOINT_EVERY = 2_000;

/** The chain of a kept state, or null where there is none, or none that the journal goes on from. */
const resume = async (
  options: ChainOptions,
  stateFile: string,
  journal: readonly JournalBlock[],
): Promise<Resumed | null> => {
  if (!existsSync(stateFile)) return null;
  const anvil = await startAnvil({ ...options, stateFile }).catch(() => null);
  const head = anvil && (await readHead(anvil.rpc));
  if (anvil && head && belongsTo(head, journal)) return { anvil, head };
  anvil?.stop();
  await dropCheckpoint(stateFile);
  return null;
};

const begin = async (options: ChainOptions): Promise<Resumed> => {
  const anvil = await startAnvil({ ...options, stateFile: null });
  await layGenesis(anvil.rpc, options);
  return { anvil, head: await readHead(anvil.rpc) };
};

/** Runs tasks one after the other, in the order they were given, whether or not those before succeeded. */
const createQueue = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(task: () => Promise<T>): Promise<T> => {
    const done = last.then(task);
    last = done.catch(() => undefined);
    return done;
  };
};

/**
 * Opens the chain of a data folder, or begins it. It is the same chain to the last hash as when it was last open,
 * however that ended: a kept state is only trusted as far as the journal confirms it, and is made again where damaged.
 * @throws StartupError when the program does not start or the journal is damaged
 */
export const openChain = async (options: ChainOptions): Promise<SandboxChain> => {
  const file = join(options.dataDir, 'chain.jsonl');
  const stateFile = join(options.dataDir, 'chain-state.json');
  const journal = await readJournal(file);
  const { anvil, head: resumed } = (await resume(options, stateFile, journal)) ?? (await begin(options));
  let head = resumed;
  let unsaved = 0;

  /** What is in the journal is on the chain, or there is no chain: the next start makes it again from the journal. */
  const finish = async (block: JournalBlock): Promise<MinedBlock> => {
    try {
      return await finishBlock(anvil.rpc, block, head.number + 1);
    } catch (error) {
      anvil.stop();
      throw error;
    }
  };
  const apply = async (block: JournalBlock): Promise<MinedBlock> => {
    const mined = await mineBlock(anvil.rpc, block).catch(() => finish(block));
    head = { number: head.number + 1, at: block.at };
    unsaved += block.signed.length + block.unsigned.length;
    if (unsaved >= (options.checkpointEvery ?? CHECKPOINT_EVERY)) {
      await saveCheckpoint(anvil.rpc, stateFile);
      unsaved = 0;
    }
    return mined;
  };
  for (const block of journal.slice(head.number)) await apply(block);

  const inTurn = createQueue();
  return {
    url: anvil.url,
    rpc: anvil.rpc,
    ended: anvil.ended,
    head: () => head,
    mine: (draft) =>
      inTurn(async () => {
        const block = { ...draft, at: Math.max(draft.at, head.at) };
        await appendToJournal(file, block);
        return apply(block);
      }),
    stop: anvil.stop,
  };
};
