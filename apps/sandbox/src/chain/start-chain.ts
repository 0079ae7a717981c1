import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { deleteCheckpoint, matchesJournal, readHead, type Head } from './checkpoint.ts';
import { writeGenesis, type GenesisAccounts } from './genesis.ts';
import type { JournalBlock } from './journal.ts';
import { completeBlock, mineBlock } from './mine-block.ts';
import type { ChainNetwork } from './network.ts';
import { startAnvil, type Anvil } from './start-anvil.ts';

export interface StartChainOptions extends GenesisAccounts {
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
  /** Port of the chain; 0 selects any free port. */
  readonly port: number;
}

export interface StartedChain {
  readonly anvil: Anvil;
  readonly head: Head;
  /** Number of blocks of the journal that the checkpoint did not contain. */
  readonly replayed: number;
}

type RestoredChain = Omit<StartedChain, 'replayed'>;

/** Returns the path of the checkpoint of a chain. */
export function getStateFile({ dataDir, network }: Pick<StartChainOptions, 'dataDir' | 'network'>): string {
  return join(dataDir, `${network.filePrefix}-state.json`);
}

function startNode(options: StartChainOptions, stateFile: string | null): Promise<Anvil> {
  return startAnvil({ ...options, chainId: options.network.viemChain.id, stateFile });
}

/**
 * Starts the chain from the checkpoint. Returns null when there is no checkpoint, or when it cannot be loaded or does
 * not match the journal.
 */
async function startFromCheckpoint(
  options: StartChainOptions,
  journal: readonly JournalBlock[],
): Promise<RestoredChain | null> {
  const stateFile = getStateFile(options);
  if (!existsSync(stateFile)) return null;
  const anvil = await startNode(options, stateFile).catch(() => null);
  const head = anvil && (await readHead(anvil.rpc).catch(() => null));
  if (anvil && head && matchesJournal(head, journal)) return { anvil, head };
  anvil?.stop();
  await anvil?.ended;
  await deleteCheckpoint(stateFile);
  return null;
}

async function startFromGenesis(options: StartChainOptions): Promise<RestoredChain> {
  const anvil = await startNode(options, null);
  await writeGenesis(anvil.rpc, options);
  return { anvil, head: await readHead(anvil.rpc) };
}

/**
 * Starts the chain process, and mines the blocks of the journal. The chain is restored from the checkpoint if the
 * checkpoint matches the journal, and otherwise by replaying the whole journal.
 * @throws StartupError when anvil does not start
 */
export async function startChain(
  options: StartChainOptions,
  journal: readonly JournalBlock[],
): Promise<StartedChain> {
  const { anvil, head } = (await startFromCheckpoint(options, journal)) ?? (await startFromGenesis(options));
  try {
    for (const [index, block] of journal.entries())
      if (index >= head.number)
        await mineBlock(anvil.rpc, block).catch(() => completeBlock(anvil.rpc, block, index + 1));
  } catch (error) {
    anvil.stop();
    throw error;
  }
  const last = { number: journal.length, at: journal.at(-1)?.at ?? head.at };
  return { anvil, head: last, replayed: journal.length - head.number };
}
