import { address, getAddressEncoder, getProgramDerivedAddress, isAddress } from '@solana/addresses';

const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const ASSOCIATED_TOKEN_PROGRAM = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');

/**
 * The account in which a wallet holds a token, which is where the exact scheme of x402 pays: Solana's wallets hold
 * tokens in accounts of their own. Source: the Associated Token Account program.
 *
 * @returns its address, or null for a wallet that is no address
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
