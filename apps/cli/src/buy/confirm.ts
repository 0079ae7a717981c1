import { createInterface } from 'node:readline';
import type { Host } from '../run.ts';

/**
 * Asks for a yes on the terminal. Anything else is a no, the end of the input as well.
 *
 * @returns null where nobody is there to ask
 */
export async function confirm(question: string, { stdin, stderr }: Host): Promise<boolean | null> {
  if (stdin.isTTY !== true) return null;
  stderr.write(`${question} [y/N] `);
  // The terminal keeps its own line editing, and its Ctrl-C ends the command as anywhere else.
  const lines = createInterface({ input: stdin, terminal: false });
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
  });
  lines.close();
  // A listening terminal would keep the command from ending.
  stdin.pause();
  return /^y(es)?$/i.test(answer.trim());
}
