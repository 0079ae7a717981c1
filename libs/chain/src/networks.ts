import { findCanonicalUsdc, findNetwork } from '@touchstone/x402';

/** Default number of confirmations of an EVM network: enough for a sequencer with blocks of 1 to 2 seconds. */
const DEFAULT_CONFIRMATIONS = 12;

/**
 * Returns the number of confirmations: blocks that must follow a block before it is read. On Solana the number is not
 * used, because only finalized blocks are read.
 *
 * @param network CAIP-2 id
 */
export function getConfirmations(network: string): number {
  return findNetwork(network)?.confirmations ?? DEFAULT_CONFIRMATIONS;
}

/**
 * Returns true when this package can read a network: EVM or Solana, with a known USDC token.
 *
 * @param network CAIP-2 id
 */
export function isReadable(network: string): boolean {
  return /^(eip155|solana):/.test(network) && findCanonicalUsdc(network) !== null;
}
