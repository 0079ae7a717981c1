import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Address } from 'viem';
import { toErrorMessage } from '../startup-error.ts';
import { startAnvil, type Anvil } from './anvil.ts';
import { multicallCode, smartWalletCode } from './contracts.generated.ts';
import {
  appendToJournal,
  readHead,
  readJournal,
  saveCheckpoint,
  type Head,
  type JournalBlock,
} from './journal.ts';
import { PREFUNDED_WEI, completeBlock, mineBlock, type MinedBlock } from './mine-block.ts';
import { MULTICALL, OWNER, type ChainNetwork } from './network.ts';
import type { Rpc, RpcCall } from './rpc.ts';

/** Accounts that exist before the first block. */
export interface GenesisAccounts {
  /** Accounts with native currency for gas. */
  readonly gasPayers: readonly Address[];
  /** Addresses of smart wallets. They get the code of contracts/SandboxSmartWallet.sol, which accepts any signature. */
  readonly smartWallets: readonly Address[];
}

export interface ChainOptions extends GenesisAccounts {
  readonly network: ChainNetwork;
  /** Path of the anvil executable; see `findAnvilBinary`. */
  readonly binary: string;
  /**
   * Folder with the journal of all blocks, such as `chain-8453.jsonl`, and the checkpoint (a saved state), such as
   * `chain-8453-state.json`. The checkpoint only makes the start faster.
   */
  readonly dataDir: string;
  /** Time of the genesis block, in seconds since 1970. */
  readonly genesis: number;
  /** Port of the chain; any free port by default. */
  readonly port?: number;
  /**
   * Number of transactions between two checkpoints; 2,000 by default. The replay of 2,000 transactions takes about two
   * seconds.
   */
  readonly checkpointEvery?: number;
  /** Receives a one-line message when a checkpoint could not be saved. */
  readonly warn?: (message: string) => void;
}

/** A chain whose blocks are recorded in a journal. */
export interface SandboxChain {
  readonly network: ChainNetwork;
  readonly url: string;
  readonly rpc: Rpc;
  /** Resolves when the chain process exits for any reason. The value is the reason, such as "exit code 1". */
  readonly ended: Promise<string>;
  readonly head: () => Head;
  /**
   * Mines a block. Concurrent calls are processed in the order of the calls.
   * @param block contents of the block. If `at` is earlier than the latest block, the new block gets the time of the
   * latest block. Two blocks may have the same time: if each block were a second later, hundreds of payments in a
   * minute would move the chain's time past the expiry of new authorizations.
   */
  readonly mine: (block: JournalBlock) => Promise<MinedBlock>;
  readonly stop: () => void;
}

const DEFAULT_CHECKPOINT_EVERY = 2_000;

function getStateFile({ dataDir, network }: ChainOptions): string {
  return join(dataDir, `chain-${network.viemChain.id}-state.json`);
}

/**
 * Writes the initial state of a chain: the token and Multicall3 at their addresses on the real network, the smart
 * wallets, and the native currency for gas. Storage slot 0 of the token contract contains the token's owner.
 */
async function writeGenesis(
  rpc: Rpc,
  { network: { usdc, usdcCode }, gasPayers, smartWallets }: ChainOptions,
): Promise<void> {
  await rpc.batch([
    ['anvil_setCode', [usdc, usdcCode]],
    ['anvil_setStorageAt', [usdc, `0x${'0'.repeat(64)}`, `0x${OWNER.slice(2).padStart(64, '0')}`]],
    ['anvil_setCode', [MULTICALL, multicallCode]],
    ...smartWallets.map((wallet): RpcCall => ['anvil_setCode', [wallet, smartWalletCode]]),
    ...gasPayers.map((payer): RpcCall => ['anvil_setBalance', [payer, PREFUNDED_WEI]]),
  ]);
}

interface StartedNode {
  readonly anvil: Anvil;
  readonly head: Head;
}

function startNode(options: ChainOptions, stateFile: string | null): Promise<Anvil> {
  const { network, port = 0 } = options;
  return startAnvil({ ...options, port, chainId: network.viemChain.id, stateFile });
}

/**
 * Starts the chain process from the checkpoint. Returns null when there is no checkpoint, or when the checkpoint cannot be
 * loaded or does not match the journal.
 */
async function startFromCheckpoint(
  options: ChainOptions,
  journal: readonly JournalBlock[],
): Promise<StartedNode | null> {
  const stateFile = getStateFile(options);
  if (!existsSync(stateFile)) return null;
  const anvil = await startNode(options, stateFile).catch(() => null);
  const head = anvil && (await readHead(anvil.rpc).catch(() => null));
  // A checkpoint matches the journal if the latest block of the checkpoint has the same number and time in the journal.
  if (anvil && head && head.number > 0 && journal[head.number - 1]?.at === head.at) return { anvil, head };
  anvil?.stop();
  await anvil?.ended;
  await rm(stateFile, { force: true });
  return null;
}

async function startFromGenesis(options: ChainOptions): Promise<StartedNode> {
  const anvil = await startNode(options, null);
  await writeGenesis(anvil.rpc, options);
  return { anvil, head: await readHead(anvil.rpc) };
}

/** Creates a function that queues tasks and runs them one at a time. A failed task does not prevent later tasks. */
export function createTaskQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(task: () => Promise<T>): Promise<T> => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}

/**
 * Creates a function that saves a checkpoint after a number of transactions. A failure is only reported, because the
 * checkpoint only makes the start faster.
 * @param replayed number of blocks that the start replayed; most blocks have one transaction
 */
function createCheckpointSaver(options: ChainOptions, rpc: Rpc, replayed: number) {
  const { network, checkpointEvery = DEFAULT_CHECKPOINT_EVERY, warn } = options;
  let transactions = replayed;
  return async ({ signed, unsigned }: JournalBlock): Promise<void> => {
    transactions += signed.length + unsigned.length;
    if (transactions < checkpointEvery) return;
    transactions = 0;
    await saveCheckpoint(rpc, getStateFile(options)).catch((error: unknown) =>
      warn?.(`chain of ${network.id}: no checkpoint was saved (${toErrorMessage(error)})`),
    );
  };
}

/**
 * Opens the chain of a data folder, and creates it at the first start. If the checkpoint matches the journal, the chain
 * process starts from the checkpoint, otherwise from the genesis block. The process then mines the remaining blocks of
 * the journal. So a restarted chain has the same blocks and hashes as before, even after a crash.
 * @throws StartupError when anvil does not start or the journal is damaged
 */
export async function openChain(options: ChainOptions): Promise<SandboxChain> {
  const { network, dataDir } = options;
  const file = join(dataDir, `chain-${network.viemChain.id}.jsonl`);
  const journal = await readJournal(file);
  const { anvil, head: restored } =
    (await startFromCheckpoint(options, journal)) ?? (await startFromGenesis(options));
  const { url, rpc, ended, stop } = anvil;

  /**
   * Mines a block that is already in the journal. If the node fails twice, its process is stopped. The next start then
   * mines the block from the journal.
   */
  const apply = async (block: JournalBlock, number: number): Promise<MinedBlock> => {
    try {
      return await mineBlock(rpc, block).catch(() => completeBlock(rpc, block, number));
    } catch (error) {
      stop();
      throw error;
    }
  };
  for (const [index, block] of journal.entries()) if (index >= restored.number) await apply(block, index + 1);
  let head: Head = { number: journal.length, at: journal.at(-1)?.at ?? restored.at };
  const saveCheckpointIfDue = createCheckpointSaver(options, rpc, journal.length - restored.number);
  const enqueue = createTaskQueue();
  return {
    network,
    url,
    rpc,
    ended,
    head: () => head,
    mine: (draft) =>
      enqueue(async () => {
        const block = { ...draft, at: Math.max(draft.at, head.at) };
        await appendToJournal(file, block);
        head = { number: head.number + 1, at: block.at };
        const mined = await apply(block, head.number);
        await saveCheckpointIfDue(block);
        return mined;
      }),
    stop,
  };
}
