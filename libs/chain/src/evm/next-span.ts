/** Result of reading one range of blocks. */
export interface SpanResult {
  /** Number of blocks that were requested. */
  readonly span: number;
  /** Number of blocks the provider accepted after it refused the whole range; null when it refused nothing. */
  readonly refusedDownTo: number | null;
  /** Number of blocks that were kept. */
  readonly blocks: number;
  /** Number of rows in the blocks that were kept. */
  readonly rows: number;
  /** Maximum number of blocks in a step. */
  readonly maxSpan: number;
  /** Maximum number of rows in a step. */
  readonly maxRows: number;
}

/**
 * Computes the number of blocks to request next. After a refusal it is the number the provider accepted, else a quarter
 * more than last time. Where transfers are dense, it is limited to the number that holds half the rows of a step.
 *
 * @returns a whole number from 1 to `maxSpan`
 */
export function computeNextSpan({ span, refusedDownTo, blocks, rows, maxSpan, maxRows }: SpanResult): number {
  const grown = refusedDownTo ?? Math.ceil(span * 1.25);
  const rowLimit = rows * 2 > maxRows ? Math.floor((blocks * maxRows) / (rows * 2)) : Infinity;
  return Math.max(1, Math.min(grown, rowLimit, maxSpan));
}
