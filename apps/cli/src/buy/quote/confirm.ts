import { createInterface } from 'node:readline';
import type { Host } from '../../run.ts';

/**
 * Asks for a confirmation on the terminal. Only "y" and "yes" confirm. Other input and the end of the input do not.
 *
 * @returns null when standard input is not a terminal
 */
export async function confirm(question: string, { stdin, stderr }: Host): Promise<boolean | null> {
  if (stdin.isTTY !== true) return null;
  stderr.write(`${question} [y/N] `);
  // With `terminal: false` the terminal itself edits the line, and Ctrl-C ends the command.
  const lines = createInterface({ input: stdin, terminal: false });
  const input = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
  });
  lines.close();
  // A standard input that is still being read would keep the process alive.
  stdin.pause();
  return /^y(es)?$/i.test(input.trim());
}
