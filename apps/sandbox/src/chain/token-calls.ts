import { encodeFunctionData, type Address } from 'viem';
import { sandboxUsdcAbi as abi } from './contracts.generated.ts';
import type { JournalBlock } from './journal.ts';
import { OWNER, type ChainNetwork } from './network.ts';

type UnsignedCall = JournalBlock['unsigned'][number];

/** Network whose token is called. */
type TokenNetwork = Pick<ChainNetwork, 'usdc'>;

/** Creates a call that mints tokens for an address; `value` is in atomic units. */
export function createMintCall({ usdc }: TokenNetwork, to: Address, value: bigint): UnsignedCall {
  return {
    from: OWNER,
    to: usdc,
    data: encodeFunctionData({ abi, functionName: 'mint', args: [to, value] }),
  };
}

/** Transfer of tokens between two wallets; `value` is in atomic units. */
interface TokenTransfer {
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
}

/** Creates a call that transfers tokens from a wallet whose private key is unknown. */
export function createTransferCall({ usdc }: TokenNetwork, { from, to, value }: TokenTransfer): UnsignedCall {
  return {
    from,
    to: usdc,
    data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, value] }),
  };
}
