import { createReadStream } from 'node:fs';
import { CliError } from '../cli-error.ts';
import type { CommandTools } from '../run.ts';
import { exitCodeOf, type Judged } from './judged.ts';
import { lintFile } from './lint-file.ts';
import { counted } from './to-text.ts';

/** Prints the judgement on one answer. */
export type Report = (judged: Judged) => Promise<void>;

interface Count {
  judged: number;
  withErrors: number;
  undetermined: number;
  bad: number;
}

/**
 * Judges a file of saved answers, and sums up what came of them where there are several.
 *
 * @param file `-` for standard input
 * @returns the exit code
 * @throws CliError when the file cannot be read, or holds nothing
 */
export async function lintSaved(
  file: string,
  report: Report,
  { host, out, complain }: CommandTools,
): Promise<number> {
  const name = file === '-' ? 'standard input' : file;
  const count: Count = { judged: 0, withErrors: 0, undetermined: 0, bad: 0 };
  try {
    for await (const linted of lintFile(file === '-' ? host.stdin : createReadStream(file))) {
      if ('fault' in linted) {
        count.bad += 1;
        complain(`${name}, line ${String(linted.line)}: ${linted.fault}`);
        continue;
      }
      add(count, linted.judged);
      await report(linted.judged);
      if (out.closed) return count.withErrors > 0 ? 1 : 0;
    }
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new CliError(`${name} cannot be read: ${cause.message}`, { cause });
  }
  if (count.judged + count.bad === 0) throw new CliError(`${name} holds no answer.`);
  if (count.judged + count.bad > 1) complain(sumUp(count));
  if (count.bad + count.undetermined > 0) return 2;
  return count.withErrors > 0 ? 1 : 0;
}

function add(count: Count, judged: Judged): void {
  count.judged += 1;
  const exitCode = exitCodeOf(judged);
  if (exitCode === 1) count.withErrors += 1;
  if (exitCode === 2) count.undetermined += 1;
}

function sumUp({ judged, withErrors, undetermined, bad }: Count): string {
  return [
    counted(judged, 'answer'),
    `${String(withErrors)} with errors`,
    ...(undetermined === 0 ? [] : [`${String(undetermined)} could not be judged`]),
    ...(bad === 0 ? [] : [counted(bad, 'bad line')]),
  ].join(', ');
}
