/**
 * Maximum number of plain transfers (without an authorization) to one wallet in one step. A wallet with more is too
 * busy.
 */
const MAX_PLAIN_TRANSFERS = 1_000;
/**
 * `MAX_PLAIN_TRANSFERS` applies to a step of this many blocks. When the row limit cuts a step short, its maximum is
 * lower in proportion.
 */
const FULL_STEP_BLOCKS = 9_000;
/** The maximum is never lower than this, even for a step that was cut to a few blocks. */
const MIN_PLAIN_TRANSFERS = 20;

interface Received {
  readonly payTo: string;
}

interface StepSize {
  /** Number of blocks in the step after it was cut to its row limit. */
  readonly blocks: number;
  /** True when the row limit cut the step to fewer blocks than requested. */
  readonly wasCut: boolean;
}

/**
 * Finds the wallets that receive too many plain transfers to read all of them. Anyone can advertise the address of an
 * exchange as payee, and reading its transfers would delay all other wallets of the network. Authorized transfers do
 * not count towards the maximum.
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
