import { createReadStream } from 'node:fs';
import { CliError } from '../../cli-error.ts';
import type { CommandTools } from '../../run.ts';
import { formatCount } from '../../terminal/format-figures.ts';
import { toExitCode, type FailOn, type LintResult } from '../lint-result.ts';
import { lintStream } from './lint-stream.ts';

/** Prints one result. */
export type PrintResult = (result: LintResult) => Promise<void>;

/** Output and exit code of a run. */
export interface LintSavedOptions {
  readonly printResult: PrintResult;
  readonly failOn: FailOn;
}

interface Totals {
  linted: number;
  failed: number;
  undetermined: number;
  invalidLines: number;
}

/**
 * Lints a file of saved responses. Prints totals if the file has more than one.
 *
 * @param file path, or `-` for standard input
 * @returns the exit code
 * @throws CliError when the file cannot be read or is empty
 */
export async function lintSaved(
  file: string,
  { printResult, failOn }: LintSavedOptions,
  { host, out, printMessage }: CommandTools,
): Promise<number> {
  const name = file === '-' ? 'standard input' : file;
  const totals: Totals = { linted: 0, failed: 0, undetermined: 0, invalidLines: 0 };
  try {
    for await (const document of lintStream(file === '-' ? host.stdin : createReadStream(file))) {
      if ('fault' in document) {
        totals.invalidLines += 1;
        printMessage(`${name}, line ${String(document.line)}: ${document.fault}`);
        continue;
      }
      addToTotals(totals, toExitCode(document.result, failOn));
      await printResult(document.result);
      if (out.isClosed) return totals.failed > 0 ? 1 : 0;
    }
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new CliError(`${name} cannot be read: ${cause.message}`, { cause });
  }
  const documents = totals.linted + totals.invalidLines;
  if (documents === 0) throw new CliError(`${name} contains no response.`);
  if (documents > 1) printMessage(formatTotals(totals, failOn));
  if (totals.invalidLines + totals.undetermined > 0) return 2;
  return totals.failed > 0 ? 1 : 0;
}

function addToTotals(totals: Totals, exitCode: 0 | 1 | 2): void {
  totals.linted += 1;
  if (exitCode === 1) totals.failed += 1;
  if (exitCode === 2) totals.undetermined += 1;
}

const FAULTS: Readonly<Record<FailOn, string>> = {
  unpayable: 'unpayable',
  error: 'with errors',
  warning: 'with errors or warnings',
};

function formatTotals({ linted, failed, undetermined, invalidLines }: Totals, failOn: FailOn): string {
  return [
    formatCount(linted, 'response'),
    `${String(failed)} ${FAULTS[failOn]}`,
    ...(undetermined === 0 ? [] : [`${String(undetermined)} undetermined`]),
    ...(invalidLines === 0 ? [] : [formatCount(invalidLines, 'invalid line')]),
  ].join(', ');
}
