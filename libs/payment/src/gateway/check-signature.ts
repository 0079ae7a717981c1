import type { PaymentRequirements } from '@x402/core/types';
import { authorizationTypes } from '@x402/evm';
import { recover } from 'tiny-secp256k1';
import { bytesToHex, hashTypedData, hexToBytes, type Hex } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { z } from 'zod';
import type { Authorization } from '../request/read-payment.ts';

/**
 * Signer of an authorization:
 * - `payer`: the key of the payer signed the authorization (ECDSA, 65 bytes).
 * - `contract`: only the facilitator can check the signature, because the payer may be a contract that is deployed with
 *   the payment (ERC-6492).
 * - `unknown`: the key of the payer did not sign the authorization. The signature is valid only if the payer is a
 *   contract (ERC-1271).
 */
export type Signer = 'payer' | 'contract' | 'unknown';

/** Signature of an authorization, and the EIP-712 domain of its token. */
export interface SignedAuthorization {
  readonly authorization: Authorization;
  readonly signature: string;
  readonly terms: PaymentRequirements;
}

/** Length of an ECDSA signature in hex, with the prefix `0x`. */
const ECDSA_LENGTH = 2 + 2 * 65;
/** End of a signature that contains the deployment of its contract (ERC-6492). */
const ERC6492_SUFFIX = '6492'.repeat(16);

/** Maximum `s` of a signature that USDC accepts: half of the order of the curve secp256k1. */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Returns true if USDC accepts the numbers of a signature of 65 bytes: `v` is 27 or 28, and `s` is at most `MAX_S`. */
function isAccepted(signature: string): boolean {
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  return /1[bc]$/i.test(signature) && s <= MAX_S;
}

const domainSchema = z.object({ name: z.string(), version: z.string() });

/**
 * Recovers the address that signed an authorization. A recovery with libsecp256k1 in WebAssembly takes 0.4 ms. The
 * JavaScript function of viem takes 3 ms, and blocks all other requests of the process for this time.
 */
function recoverSigner({ authorization, signature, terms }: SignedAuthorization): Hex | null {
  const { payer, payTo, amount, validAfter, validBefore, nonce } = authorization;
  const [, chainId] = terms.network.split(':');
  try {
    const hash = hashTypedData({
      domain: {
        ...domainSchema.parse(terms.extra),
        chainId: Number(chainId),
        // The cast is safe: the token table contains addresses only.
        verifyingContract: terms.asset as Hex,
      },
      types: authorizationTypes,
      primaryType: 'TransferWithAuthorization',
      message: { from: payer, to: payTo, value: amount, validAfter, validBefore, nonce },
    });
    // The cast is safe, because the schema of payments has checked the hex format.
    const bytes = hexToBytes(signature as Hex);
    const recoveryId = bytes[64] === 28 || bytes[64] === 1 ? 1 : 0;
    const publicKey = recover(hexToBytes(hash), bytes.subarray(0, 64), recoveryId, false);
    return publicKey === null ? null : publicKeyToAddress(bytesToHex(publicKey));
  } catch (error) {
    // A failure of the WebAssembly module is not a wrong signature.
    if (error instanceof Error && error.name === 'RuntimeError') throw error;
    // The numbers of the signature are no point of the curve.
    return null;
  }
}

/**
 * Returns true if the key of the payer signed an authorization, also if USDC refuses the form of the signature (`v` is
 * 0 or 1, or `s` is high). Anyone can convert such a signature to the form that USDC accepts.
 */
export function isSignedByPayer(signed: SignedAuthorization): boolean {
  if (signed.signature.length !== ECDSA_LENGTH) return false;
  return recoverSigner(signed)?.toLowerCase() === signed.authorization.payer;
}

/**
 * Finds the signer of an authorization (EIP-712) without a query to the chain. This check needs more CPU time than all
 * other checks, so the check runs last, immediately before the call of the facilitator.
 */
export function findSigner(signed: SignedAuthorization): Signer {
  if (signed.signature.toLowerCase().endsWith(ERC6492_SUFFIX)) return 'contract';
  return isSignedByPayer(signed) && isAccepted(signed.signature) ? 'payer' : 'unknown';
}
