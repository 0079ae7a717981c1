import { readConfig } from './config.ts';

/** Stops a server that has no usable configuration, with one line that says which variable is wrong and why. */
export function requireConfig(): void {
  const result = readConfig(process.env);
  if (result.ok) return;
  process.stderr.write(`${result.problem}\n`);
  process.exit(1);
}
