import { z } from 'zod';
import { readHead } from './checkpoint.ts';
import type { JournalBlock } from './journal.ts';
import { RpcError } from './rpc.ts';
import type { Rpc, RpcCall } from './rpc.ts';

const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);
const receiptsSchema = z.array(z.object({ transactionHash: hash, status: z.string() }));

/** What became of a transaction. */
interface Outcome {
  readonly hash: `0x${string}`;
  readonly succeeded: boolean;
}

export interface MinedBlock {
  /** Seconds since 1970. */
  readonly at: number;
  readonly outcomes: readonly Outcome[];
  /** Why the node took one of the transactions not at all, or null. */
  readonly refusal: RpcError | null;
}

/** Ether for fees, which nobody in the sandbox has to think about: 2^80 wei, about 1.2 million. */
export const ETHER = `0x1${'0'.repeat(20)}`;
const GAS = '0x493e0';

const unsignedCalls = ({ unsigned }: JournalBlock): RpcCall[] =>
  unsigned.flatMap(({ from, to, data }) => [
    ['anvil_setBalance', [from, ETHER]],
    ['anvil_impersonateAccount', [from]],
    ['eth_sendTransaction', [{ from, to, data, gas: GAS }]],
    ['anvil_stopImpersonatingAccount', [from]],
  ]);

/** Hands transactions to the node. @returns why one was refused, or null */
const handOver = async (rpc: Rpc, calls: readonly RpcCall[]): Promise<RpcError | null> => {
  try {
    await rpc.batch(calls);
    return null;
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
};

const readOutcomes = async (rpc: Rpc): Promise<Outcome[]> =>
  receiptsSchema
    .parse(await rpc.call('eth_getBlockReceipts', ['latest']))
    .map(({ transactionHash, status }) => ({ hash: transactionHash, succeeded: status === '0x1' }));

/** Makes one block of what the journal says, at the time it says. */
export const mineBlock = async (rpc: Rpc, block: JournalBlock): Promise<MinedBlock> => {
  // One after the other where the chain acts for somebody, because it may do so only between two of these calls.
  let refusal: RpcError | null = null;
  for (const call of unsignedCalls(block)) refusal ??= await handOver(rpc, [call]);
  const raw = block.signed.map((transaction): RpcCall => ['eth_sendRawTransaction', [transaction]]);
  refusal ??= await handOver(rpc, raw);
  await rpc.batch([
    ['evm_setNextBlockTimestamp', [block.at]],
    ['evm_mine', []],
  ]);
  return { at: block.at, outcomes: await readOutcomes(rpc), refusal };
};

/**
 * Ends what a failed `mineBlock` began: the node has made the block and only its answer was lost, or forgets what it was
 * handed and is handed it again.
 * @param number the block's
 */
export const finishBlock = async (rpc: Rpc, block: JournalBlock, number: number): Promise<MinedBlock> => {
  const head = await readHead(rpc);
  if (head.number === number) return { at: block.at, outcomes: await readOutcomes(rpc), refusal: null };
  await rpc.call('anvil_dropAllTransactions');
  return mineBlock(rpc, block);
};
