/** Result of reading one range of blocks. */
export interface SpanResult {
  /** Number of blocks that were requested. */
  readonly span: number;
  /** Number of blocks per request that the provider accepted after a refusal or timeout; null when there was none. */
  readonly refusedDownTo: number | null;
  /** Number of blocks whose transfers were kept. It is less than `span` when the row limit cut the range. */
  readonly blocks: number;
  /** Number of transfers in the blocks that were kept. */
  readonly rows: number;
  /** Maximum number of blocks in one reading step. */
  readonly maxSpan: number;
  /** Maximum number of transfers in one reading step. */
  readonly maxRows: number;
}

/**
 * Computes the number of blocks to request in the next reading step. After a refusal, this is the number of blocks that
 * the provider accepted. Otherwise the number grows by a quarter. When transfers are dense, the number is limited so
 * that the next step has about half of `maxRows` transfers.
 *
 * @returns a whole number from 1 to `maxSpan`
 */
export function computeNextSpan({ span, refusedDownTo, blocks, rows, maxSpan, maxRows }: SpanResult): number {
  const grown = refusedDownTo ?? Math.ceil(span * 1.25);
  const rowLimit = rows * 2 > maxRows ? Math.floor((blocks * maxRows) / (rows * 2)) : Infinity;
  return Math.max(1, Math.min(grown, rowLimit, maxSpan));
}
