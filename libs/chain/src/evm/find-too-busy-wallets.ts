/** Maximum number of plain transfers to a wallet in one step. With more, the wallet is too busy to be measured. */
const MAX_PLAIN_TRANSFERS = 1_000;
/** Number of blocks to which that maximum refers when a step was shortened because it held too many transfers. */
const FULL_STEP_BLOCKS = 9_000;
/** Lowest maximum for a shortened step. */
const MIN_PLAIN_TRANSFERS = 20;

interface Received {
  readonly payTo: string;
}

interface StepSize {
  /** Number of blocks that were kept. */
  readonly blocks: number;
  /** True when fewer blocks were kept than requested. */
  readonly wasCut: boolean;
}

/**
 * Finds the wallets that receive too many plain transfers to read them all. Anyone can advertise the address of an
 * exchange, and reading it would delay all other wallets of the network. Authorized transfers do not count towards the
 * limit, whatever their number.
 *
 * @param plain transfers without an authorization
 */
export function findTooBusyWallets(
  plain: readonly Received[],
  { blocks, wasCut }: StepSize,
): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { payTo } of plain) counts.set(payTo, (counts.get(payTo) ?? 0) + 1);
  const share = Math.max(MIN_PLAIN_TRANSFERS, Math.ceil((MAX_PLAIN_TRANSFERS * blocks) / FULL_STEP_BLOCKS));
  const limit = wasCut ? Math.min(share, MAX_PLAIN_TRANSFERS) : MAX_PLAIN_TRANSFERS;
  return new Set([...counts].filter(([, count]) => count > limit).map(([payTo]) => payTo));
}
