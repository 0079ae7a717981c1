/** How the reading of a range went. */
export interface SpanResult {
  /** Blocks that were asked for at once. */
  readonly span: number;
  /** The most blocks the provider answered for at once, when it refused the whole; null when it refused nothing. */
  readonly refusedDownTo: number | null;
  /** Blocks that were kept of what was asked for, and the rows they held. */
  readonly blocks: number;
  readonly rows: number;
  /** Bounds of what is to be asked for. */
  readonly maxSpan: number;
  readonly maxRows: number;
}

/**
 * How many blocks to ask for next: what the provider took where it refused, no more than hold half the rows of a step
 * where they are dense, else a quarter more than last time.
 *
 * @returns a whole number from 1 to `maxSpan`
 */
export function computeNextSpan({ span, refusedDownTo, blocks, rows, maxSpan, maxRows }: SpanResult): number {
  const grown = refusedDownTo ?? Math.ceil(span * 1.25);
  const sparse = rows * 2 > maxRows ? Math.floor((blocks * maxRows) / (rows * 2)) : Infinity;
  return Math.max(1, Math.min(grown, sparse, maxSpan));
}
