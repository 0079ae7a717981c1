import { findCanonicalUsdc, findNetwork } from '@touchstone/x402';

/** Confirmations of a network without a number in the network table: enough for a sequencer with 1 to 2 s blocks. */
const DEFAULT_CONFIRMATIONS = 12;

/**
 * Returns the number of later blocks before a block of a network is read. Solana ignores it: its blocks are read when
 * finalized.
 *
 * @param network CAIP-2 id
 */
export function getConfirmations(network: string): number {
  return findNetwork(network)?.confirmations ?? DEFAULT_CONFIRMATIONS;
}

/** Returns true for a network (CAIP-2 id) this package can read: EVM or Solana, with a known canonical USDC. */
export function isReadable(network: string): boolean {
  return /^(eip155|solana):/.test(network) && findCanonicalUsdc(network) !== null;
}
