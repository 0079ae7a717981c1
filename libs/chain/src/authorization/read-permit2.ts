import { encodeFunctionData, type Hex, numberToHex, pad, parseAbi, toEventSelector } from 'viem';
import { callContract } from '../evm/call-contract.ts';
import { type Log, transactionSchema, TRANSFER_TOPIC } from '../evm/logs.ts';
import { type BlockRange, readLogs } from '../evm/read-logs.ts';
import type { Provider } from '../rpc/provider.ts';
import { listPayments, readReceipt, type Source } from './list-payments.ts';
import type { NonceUse, SignedNonce } from './read-nonce.ts';
import { PERMIT2 } from './signed-calls.ts';

const ABI = parseAbi([
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
  'event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask)',
]);
const CANCELED_TOPIC = toEventSelector(ABI[1]);
/** Maximum number of transactions of a payer in which a nonce is searched. */
const MAX_TRANSACTIONS = 200;

type Permit2Nonce = SignedNonce & { readonly nonce: bigint };

const toWord = (nonce: bigint): bigint => nonce >> 8n;
const toBit = (nonce: bigint): bigint => 1n << (nonce & 0xffn);

/** Returns true if Permit2 marks the nonce as used at the end of block `head`. */
export async function isPermit2Used(
  provider: Provider,
  { payer, nonce }: Permit2Nonce,
  head: bigint,
): Promise<boolean> {
  const data = encodeFunctionData({ abi: ABI, functionName: 'nonceBitmap', args: [payer, toWord(nonce)] });
  return ((await callContract(provider, { to: PERMIT2, data }, head)) & toBit(nonce)) !== 0n;
}

/**
 * Finds the use of a Permit2 nonce in a range of blocks. Permit2 writes no log of a use, so the newest transfers of the
 * payer are searched for a transaction whose data contains the nonce. `seen` has the transactions of earlier ranges.
 */
export async function findPermit2Use(
  source: Source,
  { asset, payer, nonce, seen }: Permit2Nonce & { readonly seen: Set<Hex> },
  range: BlockRange,
): Promise<NonceUse | null> {
  const { provider } = source;
  const owner = [pad(payer, { size: 32 })];
  const cancellations = { address: PERMIT2, topics: [CANCELED_TOPIC, owner] } as const;
  const canceled = (await readLogs(provider, cancellations, range)).logs.find((log) =>
    isCanceled(log, nonce),
  );
  if (canceled !== undefined) return { canceled };
  if (seen.size >= MAX_TRANSACTIONS) return null;
  const { logs } = await readLogs(provider, { address: asset, topics: [TRANSFER_TOPIC, owner] }, range);
  const newest = [...new Set(logs.toReversed().map(({ transactionHash }) => transactionHash))];
  const unseen = newest.filter((transaction) => !seen.has(transaction));
  const transactions = unseen.slice(0, MAX_TRANSACTIONS - seen.size);
  for (const transaction of transactions) seen.add(transaction);
  const params = transactions.map((transaction) => [transaction]);
  const results = await provider.callMany('eth_getTransactionByHash', params, transactionSchema);
  const text = numberToHex(nonce, { size: 32 }).slice(2);
  for (const [index, transaction] of transactions.entries()) {
    if (results[index]?.input.includes(text) !== true) continue;
    const receipt = await readReceipt(provider, transaction);
    const payments = receipt === null ? [] : await listPayments(source, receipt, asset);
    const transfer = payments.find((each) => each.payer === payer && each.nonce === String(nonce));
    if (receipt !== null && transfer !== undefined) return { receipt, transfer };
  }
  return null;
}

/** Returns true if the log cancels the nonce: its data is the word of nonces, and the mask of the canceled ones. */
function isCanceled({ data }: Log, nonce: bigint): boolean {
  if (data.length !== 130) return false;
  const [word, mask] = [BigInt(data.slice(0, 66)), BigInt(`0x${data.slice(66)}`)];
  return word === toWord(nonce) && (mask & toBit(nonce)) !== 0n;
}
