import { encodeFunctionData } from 'viem';
import type { Address } from 'viem';
import { sandboxUsdcAbi as abi } from './contracts.generated.ts';
import type { JournalBlock } from './journal.ts';
import { OWNER, USDC } from './network.ts';

type UnsignedCall = JournalBlock['unsigned'][number];

/** New dollars for an address, in atomic units. */
export const mintCall = (to: Address, value: bigint): UnsignedCall => ({
  from: OWNER,
  to: USDC,
  data: encodeFunctionData({ abi, functionName: 'mint', args: [to, value] }),
});

/** A plain transfer out of a wallet that nobody holds a key to, in atomic units. */
export const transferCall = (from: Address, to: Address, value: bigint): UnsignedCall => ({
  from,
  to: USDC,
  data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, value] }),
});
