import { encodeFunctionData, numberToHex, parseAbi, type Hex } from 'viem';
import { quantitySchema, wordSchema } from '../evm/schemas.ts';
import type { Providers } from '../rpc/providers.ts';

const TOKEN = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
]);

/** Whose money is asked for, and which of its authorizations may have taken of it. Addresses are in lower case. */
export interface FundsQuery {
  readonly asset: Hex;
  readonly payer: Hex;
  /** 32 bytes each. */
  readonly nonces: readonly Hex[];
}

/** What a payer has at the end of a block, in atomic units, and which of the nonces it had used by then. */
export interface Funds {
  readonly balance: bigint;
  readonly usedNonces: ReadonlySet<Hex>;
}

/**
 * Reads what a payer has of a token, and which of its authorizations are used (EIP-3009): all at the end of one block, so
 * that it fits together.
 * @throws ChainUnreadable when no provider can tell
 */
export async function readFunds(providers: Providers, { asset, payer, nonces }: FundsQuery): Promise<Funds> {
  const states = nonces.map((nonce) =>
    encodeFunctionData({ abi: TOKEN, functionName: 'authorizationState', args: [payer, nonce] }),
  );
  const data = [encodeFunctionData({ abi: TOKEN, functionName: 'balanceOf', args: [payer] }), ...states];
  return providers.use(async (provider) => {
    const block = numberToHex(await provider.call('eth_blockNumber', [], quantitySchema));
    const calls = data.map((each) => [{ to: asset, data: each }, block]);
    const [balance = '0x0', ...answers] = await provider.callMany('eth_call', calls, wordSchema);
    const used = nonces.filter((_, index) => BigInt(answers[index] ?? '0x0') !== 0n);
    return { balance: BigInt(balance), usedNonces: new Set(used) };
  });
}
