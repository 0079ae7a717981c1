import {
  encodeFunctionData,
  hashMessage,
  hashTypedData,
  parseAbi,
  recoverAddress,
  type Hex,
  type TypedDataDefinition,
} from 'viem';
import { z } from 'zod';
import { RpcFailure } from '../rpc/provider.ts';
import type { Providers } from '../rpc/providers.ts';

const WALLET = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
/** Result of `isValidSignature` for a valid signature (ERC-1271). */
const MAGIC_VALUE = '0x1626ba7e';
/** Length of the signature of a key (ECDSA) in hex, with the prefix `0x`. */
const KEY_SIGNATURE_LENGTH = 2 + 2 * 65;

const resultSchema = z.string().regex(/^0x[0-9a-f]*$/i);

interface Signed {
  readonly wallet: Hex;
  readonly signature: Hex;
}

/** Text that a wallet has signed with `personal_sign` (EIP-191). */
export interface SignedMessage extends Signed {
  readonly message: string;
}

/** Typed data that a wallet has signed (EIP-712). */
export interface SignedTypedData extends Signed {
  readonly typedData: TypedDataDefinition;
}

interface SignedHash extends Signed {
  readonly hash: Hex;
}

/** Returns true if a wallet signed a message (EIP-191); see `isSigned`. */
export function verifyMessage(
  { message, ...signed }: SignedMessage,
  chains: readonly Providers[],
): Promise<boolean> {
  return isSigned({ ...signed, hash: hashMessage(message) }, chains);
}

/** Returns true if a wallet signed typed data (EIP-712); see `isSigned`. */
export function verifyTypedData(
  { typedData, ...signed }: SignedTypedData,
  chains: readonly Providers[],
): Promise<boolean> {
  return isSigned({ ...signed, hash: hashTypedData(typedData) }, chains);
}

/**
 * Returns true if a wallet signed a hash: with its key, or, for a contract, by its own rules (ERC-1271) on one of the
 * given networks. A contract that is not deployed has signed nothing, so ERC-6492 signatures are not valid.
 *
 * @param chains RPC access to the networks on which the wallet may be a contract
 * @throws ChainUnreadableError when the key of the wallet did not sign, no contract accepted the signature, and one of the
 * networks cannot be read
 */
async function isSigned(signed: SignedHash, chains: readonly Providers[]): Promise<boolean> {
  if (await isSignedByKey(signed)) return true;
  const results = await Promise.allSettled(chains.map((chain) => isAcceptedByContract(chain, signed)));
  if (results.some((result) => result.status === 'fulfilled' && result.value)) return true;
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return false;
}

async function isSignedByKey({ wallet, hash, signature }: SignedHash): Promise<boolean> {
  if (signature.length !== KEY_SIGNATURE_LENGTH) return false;
  // The numbers of a wrong signature may be no point of the curve.
  const signer = await recoverAddress({ hash, signature }).catch(() => null);
  return signer?.toLowerCase() === wallet.toLowerCase();
}

function isAcceptedByContract(chain: Providers, { wallet, hash, signature }: SignedHash): Promise<boolean> {
  const args = [hash, signature] as const;
  const data = encodeFunctionData({ abi: WALLET, functionName: 'isValidSignature', args });
  return chain.use(async (provider) => {
    try {
      const result = await provider.call('eth_call', [{ to: wallet, data }, 'latest'], resultSchema);
      return result.toLowerCase().startsWith(MAGIC_VALUE);
    } catch (error) {
      if (error instanceof RpcFailure && error.kind === 'reverted') return false;
      throw error;
    }
  });
}
