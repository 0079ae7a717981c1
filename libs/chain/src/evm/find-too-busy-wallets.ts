/** Transfers that nobody signed which a wallet may get in a step before it is too busy to be measured. */
const PLAIN_IN_A_STEP = 1_000;
/** Where a step was cut short because it held too much: so many in as many blocks, and these at least. */
const PLAIN_IN_BLOCKS = 9_000;
const FEWEST = 20;

interface Received {
  readonly payTo: string;
}

interface StepSize {
  /** Blocks that were kept. */
  readonly blocks: number;
  /** Whether these are fewer than were asked for. */
  readonly wasCut: boolean;
}

/**
 * The wallets that get more plain transfers than are worth reading: anybody can advertise the address of an exchange, and
 * all other wallets of its network would wait for it. What is signed does not count towards it, however much that is.
 *
 * @param plain transfers without an authorization
 */
export function findTooBusyWallets(
  plain: readonly Received[],
  { blocks, wasCut }: StepSize,
): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { payTo } of plain) counts.set(payTo, (counts.get(payTo) ?? 0) + 1);
  const share = Math.max(FEWEST, Math.ceil((PLAIN_IN_A_STEP * blocks) / PLAIN_IN_BLOCKS));
  const most = wasCut ? Math.min(share, PLAIN_IN_A_STEP) : PLAIN_IN_A_STEP;
  return new Set([...counts].filter(([, count]) => count > most).map(([payTo]) => payTo));
}
