import { createInterface } from 'node:readline';
import type { Host } from '../../run.ts';

/**
 * Requests a confirmation on the terminal. Every input except "y" and "yes" means no, and so does the end of the input.
 *
 * @returns null without a terminal
 */
export async function confirm(question: string, { stdin, stderr }: Host): Promise<boolean | null> {
  if (stdin.isTTY !== true) return null;
  stderr.write(`${question} [y/N] `);
  // Without `terminal` the terminal keeps its own line editing, and Ctrl-C ends the command.
  const lines = createInterface({ input: stdin, terminal: false });
  const input = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
  });
  lines.close();
  // An active standard input would keep the process alive.
  stdin.pause();
  return /^y(es)?$/i.test(input.trim());
}
