import { address, getAddressEncoder, getProgramDerivedAddress, isAddress } from '@solana/addresses';

const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const ASSOCIATED_TOKEN_PROGRAM = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');

/**
 * Derives the associated token account of a wallet. A Solana wallet holds each token in a separate account, and
 * payments of the x402 scheme `exact` go to this account. Source: the Associated Token Account program.
 *
 * @returns the address of the account, or null when the wallet is not a Solana address
 */
export async function deriveTokenAccount(wallet: string, mint: string): Promise<string | null> {
  if (!isAddress(wallet)) return null;
  const encoder = getAddressEncoder();
  const [account] = await getProgramDerivedAddress({
    programAddress: ASSOCIATED_TOKEN_PROGRAM,
    seeds: [wallet, TOKEN_PROGRAM, address(mint)].map((part) => encoder.encode(part)),
  });
  return account;
}
