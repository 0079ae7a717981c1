import { encodeFunctionData } from 'viem';
import type { Address } from 'viem';
import { sandboxUsdcAbi as abi } from './contracts.generated.ts';
import type { JournalBlock } from './journal.ts';
import { OWNER, USDC } from './network.ts';

type UnsignedCall = JournalBlock['unsigned'][number];

/** Creates a call that mints tokens for an address; `value` is in atomic units. */
export const createMintCall = (to: Address, value: bigint): UnsignedCall => ({
  from: OWNER,
  to: USDC,
  data: encodeFunctionData({ abi, functionName: 'mint', args: [to, value] }),
});

/** Creates a call that transfers tokens from a wallet whose private key is unknown; `value` is in atomic units. */
export const createTransferCall = (from: Address, to: Address, value: bigint): UnsignedCall => ({
  from,
  to: USDC,
  data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, value] }),
});
