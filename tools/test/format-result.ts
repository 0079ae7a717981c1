import type { FailedTest } from './counts.ts';
import type { StageResult } from './run-stage.ts';

const INDENT = ' '.repeat(10);
/** Maximum number of failed tests that the summary of a stage names. */
const MAX_FAILURES = 20;

/**
 * Formats the result of one stage: its summary, the skipped tests, and the complete output if the stage failed. The
 * summary precedes the output, because a CI service may cut a long log.
 */
export function formatResult(result: StageResult): string {
  const { failed, skipped, output } = result;
  const skips = skipped.map((test) => `${INDENT}skipped: ${test}`);
  const details = failed > 0 && output.trim() !== '' ? ['', output.trimEnd(), ''] : [];
  return [...summarizeStage(result), ...skips, ...details].join('\n');
}

/**
 * Formats the end of a test run: the summaries of all stages with failed or flaky tests, and as the last line the
 * numbers of passed and failed tests in all stages.
 */
export function formatEnd(results: readonly StageResult[]): string {
  const sum = (key: 'passed' | 'failed'): number => results.reduce((total, result) => total + result[key], 0);
  const failedOrFlaky = results.filter(({ failed, flaky }) => failed > 0 || flaky.length > 0);
  const summaries = failedOrFlaky.length > 0 ? ['', ...failedOrFlaky.flatMap(summarizeStage), ''] : [];
  return [...summaries, `${sum('passed')} passed, ${sum('failed')} failed`].join('\n');
}

/** Formats a line with the state, time and counts of a stage, and names its failed and flaky tests below that line. */
function summarizeStage(result: StageResult): readonly string[] {
  const { name, failed, seconds, failures, flaky } = result;
  const state = failed === 0 ? 'passed' : 'FAILED';
  const time = `${seconds.toFixed(1)} s`;
  const line = `${state}  ${name.padEnd(16)}${time.padStart(8)}  ${formatCounts(result)}`.trimEnd();
  const unnamed = failures.length - MAX_FAILURES;
  return [
    line,
    ...failures.slice(0, MAX_FAILURES).flatMap((test) => formatTest('failed', test)),
    ...(unnamed > 0 ? [`${INDENT}… and ${unnamed} more`] : []),
    ...flaky.flatMap((test) => formatTest('flaky', test)),
  ];
}

function formatCounts({ passed, failed, skipped, flaky, problem }: StageResult): string {
  const hasSeveral = passed + failed > 1 || skipped.length > 0;
  const parts = [
    hasSeveral ? `${passed} passed, ${failed} failed` : '',
    flaky.length > 0 ? `${flaky.length} flaky` : '',
    skipped.length > 0 ? `${skipped.length} skipped` : '',
    problem ?? '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const formatTest = (state: 'failed' | 'flaky', { name, error }: FailedTest): readonly string[] => [
  `${INDENT}${state}: ${name}`,
  ...error.split('\n').map((line) => `${INDENT}  ${line}`),
];
