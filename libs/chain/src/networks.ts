import { canonicalUsdc } from '@touchstone/x402';

/**
 * Blocks that must follow one before it is read. They spare the taking back of rows, which works however deep a re-org
 * is, so they follow what usually happens and not the worst that has.
 */
const CONFIRMATIONS: Readonly<Record<string, number>> = {
  // Twelve slots: re-orgs since the merge were one or two deep, seven once (May 2022).
  'eip155:1': 12,
  // A sequencer orders blocks of two seconds; what it has handed out is replaced when it fails over.
  'eip155:8453': 12,
  'eip155:84532': 12,
  // Milestones finalize within seconds since Heimdall 2; before them re-orgs of some dozens were met.
  'eip155:137': 64,
  'eip155:80002': 64,
  // A sequencer with four blocks a second: as long as Base, in time.
  'eip155:42161': 96,
  'eip155:421614': 96,
  // Avalanche, Sei and Monad finalize within one or two blocks; the rest is for providers that lag behind each other.
  'eip155:43114': 3,
  'eip155:43113': 3,
  'eip155:1329': 3,
  'eip155:1328': 3,
  'eip155:143': 3,
};

/** For a network without a row: as for a sequencer of blocks of a second or two. */
const USUAL_CONFIRMATIONS = 12;

/** Blocks that must follow one of a network (CAIP-2 id) before it is read. Solana is read finalized. */
export function confirmationsOf(network: string): number {
  return CONFIRMATIONS[network] ?? USUAL_CONFIRMATIONS;
}

/** True for a network (CAIP-2 id) that can be read: an EVM chain or Solana whose canonical USDC is known. */
export function isReadable(network: string): boolean {
  return /^(eip155|solana):/.test(network) && canonicalUsdc(network) !== null;
}
