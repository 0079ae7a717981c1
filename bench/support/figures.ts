/** Operation that is measured once per round. */
export interface Subject {
  readonly name: string;
  /** Runs the operation. Returns the duration in milliseconds, or the rate per second. */
  readonly measure: () => Promise<number>;
}

interface Rounds {
  /** Number of rounds at the start whose figures are dropped, because the JIT compiler is still compiling the code. */
  readonly warmUp: number;
  readonly measured: number;
}

/**
 * Measures all subjects in each round, so that other load on the machine affects all of them. Every second round
 * measures the subjects in reverse order. Returns the figures by subject name.
 */
export async function measureRounds(
  subjects: readonly Subject[],
  { warmUp, measured }: Rounds,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const figures = new Map(subjects.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < warmUp + measured; round += 1) {
    for (const { name, measure } of round % 2 === 0 ? subjects : subjects.toReversed()) {
      const figure = await measure();
      if (round >= warmUp) figures.get(name)?.push(figure);
    }
  }
  return figures;
}

/** Returns the duration of `work`, in milliseconds. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/**
 * Returns a quantile by the nearest-rank method, such as the median for a `share` of 0.5. Returns NaN for an empty
 * list.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function formatNumber(value: number, digits = 0): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Formats quantiles, in milliseconds with one digit. */
export function formatQuantiles(ms: readonly number[], shares: readonly number[]): readonly string[] {
  return shares.map((share) => formatNumber(quantile(ms, share), 1));
}

/** Prints a table. The first column is left-aligned, and all other columns are right-aligned. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(`  ${cells.join('   ')}`);
  }
}
