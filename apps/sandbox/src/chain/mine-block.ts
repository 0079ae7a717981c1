import { z } from 'zod';
import { hexSchema } from '../parsing.ts';
import { readHead, type JournalBlock } from './journal.ts';
import { RpcError, type Rpc, type RpcCall } from './rpc.ts';

const receiptsSchema = z.array(z.object({ transactionHash: hexSchema, status: z.string() }));

interface TransactionResult {
  readonly hash: `0x${string}`;
  readonly succeeded: boolean;
}

export interface MinedBlock {
  /** Seconds since 1970. */
  readonly at: number;
  readonly results: readonly TransactionResult[];
  /** Error of the first transaction that the node rejected, or null. */
  readonly rejection: RpcError | null;
}

/** Ether balance that an account gets for gas fees: 2^80 wei, about 1.2 million ether. */
export const PREFUNDED_WEI = `0x1${'0'.repeat(20)}`;
/** Gas limit of an impersonated transaction: 300,000. */
const GAS_LIMIT = '0x493e0';

/**
 * Creates the calls that send unsigned transactions. Successive transactions of one address share one impersonation.
 */
function createImpersonatedCalls({ unsigned }: JournalBlock): RpcCall[] {
  return unsigned.flatMap(({ from, to, data }, index): RpcCall[] => [
    ...(unsigned[index - 1]?.from === from
      ? []
      : ([
          ['anvil_setBalance', [from, PREFUNDED_WEI]],
          ['anvil_impersonateAccount', [from]],
        ] satisfies RpcCall[])),
    ['eth_sendTransaction', [{ from, to, data, gas: GAS_LIMIT }]],
    ...(unsigned[index + 1]?.from === from
      ? []
      : ([['anvil_stopImpersonatingAccount', [from]]] satisfies RpcCall[])),
  ]);
}

/**
 * Sends transactions to the node. Returns the error of the first rejected transaction, or null when no transaction was
 * rejected.
 */
async function submit(rpc: Rpc, calls: readonly RpcCall[]): Promise<RpcError | null> {
  try {
    await rpc.batch(calls);
    return null;
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
}

async function readResults(rpc: Rpc): Promise<TransactionResult[]> {
  return receiptsSchema
    .parse(await rpc.call('eth_getBlockReceipts', ['latest']))
    .map(({ transactionHash, status }) => ({ hash: transactionHash, succeeded: status === '0x1' }));
}

export async function mineBlock(rpc: Rpc, block: JournalBlock): Promise<MinedBlock> {
  // These calls are sent one by one, because the node accepts an unsigned transaction only while impersonation is
  // enabled.
  let rejection: RpcError | null = null;
  for (const call of createImpersonatedCalls(block)) rejection ??= await submit(rpc, [call]);
  const raw = block.signed.map((transaction): RpcCall => ['eth_sendRawTransaction', [transaction]]);
  rejection ??= await submit(rpc, raw);
  await rpc.batch([
    ['evm_setNextBlockTimestamp', [block.at]],
    ['evm_mine', []],
  ]);
  return { at: block.at, results: await readResults(rpc), rejection };
}

/**
 * Completes a block after `mineBlock` failed. If the node has already mined the block, only the response was lost, so
 * the results are read again. If not, the pending transactions are dropped and the block is mined again.
 * @param number number of the block that is completed
 */
export async function completeBlock(rpc: Rpc, block: JournalBlock, number: number): Promise<MinedBlock> {
  const head = await readHead(rpc);
  if (head.number === number) return { at: block.at, results: await readResults(rpc), rejection: null };
  await rpc.call('anvil_dropAllTransactions');
  return mineBlock(rpc, block);
}
