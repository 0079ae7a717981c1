import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Address } from 'viem';
import { startAnvil, type Anvil } from './anvil.ts';
import { multicallCode, smartWalletCode } from './contracts.generated.ts';
import { readHead, type Head, type JournalBlock } from './journal.ts';
import { PREFUNDED_WEI, completeBlock, mineBlock } from './mine-block.ts';
import { MULTICALL, OWNER, type ChainNetwork } from './network.ts';
import type { Rpc, RpcCall } from './rpc.ts';

function toWord(value: string): string {
  return `0x${value.slice(2).padStart(64, '0')}`;
}

/** Accounts that exist before the first block. */
export interface GenesisAccounts {
  /** Accounts with native currency for gas. */
  readonly gasPayers: readonly Address[];
  /** Addresses of smart wallets. They get the code of contracts/SandboxSmartWallet.sol, which accepts any signature. */
  readonly smartWallets: readonly Address[];
}

/**
 * Writes the initial state of a chain: the token and Multicall3 at their addresses on the real network, the smart
 * wallets, and the native currency for gas. Storage slot 0 of the token contract contains the token's owner.
 */
async function writeGenesis(
  rpc: Rpc,
  { network: { usdc, usdcCode }, gasPayers, smartWallets }: StartChainOptions,
): Promise<void> {
  await rpc.batch([
    ['anvil_setCode', [usdc, usdcCode]],
    ['anvil_setStorageAt', [usdc, toWord('0x'), toWord(OWNER)]],
    ['anvil_setCode', [MULTICALL, multicallCode]],
    ...smartWallets.map((wallet): RpcCall => ['anvil_setCode', [wallet, smartWalletCode]]),
    ...gasPayers.map((payer): RpcCall => ['anvil_setBalance', [payer, PREFUNDED_WEI]]),
  ]);
}

export interface StartChainOptions extends GenesisAccounts {
  readonly network: ChainNetwork;
  /** Path of the anvil executable; see `findAnvilBinary`. */
  readonly binary: string;
  /**
   * Folder with the journal, such as `chain-8453.jsonl`, and the checkpoint, such as `chain-8453-state.json`. The
   * checkpoint only makes the start faster.
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
  return join(dataDir, `chain-${network.viemChain.id}-state.json`);
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
  // A checkpoint matches if the journal has a block with the number and the time of its latest block.
  if (anvil && head && head.number > 0 && journal[head.number - 1]?.at === head.at) return { anvil, head };
  anvil?.stop();
  await anvil?.ended;
  await rm(stateFile, { force: true });
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
