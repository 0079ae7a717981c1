import type { StageResult } from './run-stages.ts';

/** Formats the result of one stage: a summary line, the skipped tests, and the complete output if the stage failed. */
export function describeResult({
  name,
  passed,
  failed,
  skipped,
  seconds,
  output,
  problem,
}: StageResult): string {
  const state = failed === 0 ? 'passed' : 'FAILED';
  const time = `${seconds.toFixed(1)} s`;
  const counts = passed + failed > 1 || skipped.length > 0 ? `${passed} passed, ${failed} failed` : '';
  const details = [counts, skipped.length > 0 ? `${skipped.length} skipped` : '', problem ?? ''].filter(
    Boolean,
  );
  const line = `${state}  ${name.padEnd(16)}${time.padStart(8)}  ${details.join(', ')}`.trimEnd();
  const skips = skipped.map((test) => `          skipped: ${test}`);
  return [line, ...skips, ...(failed > 0 && output.trim() !== '' ? ['', output.trimEnd(), ''] : [])].join(
    '\n',
  );
}

/** Formats the last line of a test run: the numbers of passed and failed tests in all stages. */
export function describeTotal(results: readonly Pick<StageResult, 'passed' | 'failed'>[]): string {
  const sum = (key: 'passed' | 'failed'): number => results.reduce((total, result) => total + result[key], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed`;
}
