import { readConfig } from './config.ts';
import { getSigningKeys } from './signing-keys.ts';
import { getWatchCipher } from './watch-cipher.ts';

/** Exits the process if the configuration is invalid, and prints one line that names the variable and the reason. */
export async function requireConfig(): Promise<void> {
  const problem = await findProblem();
  if (problem === null) return;
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

async function findProblem(): Promise<string | null> {
  const result = readConfig(process.env);
  if (!result.ok) return result.problem;
  try {
    await getSigningKeys();
  } catch (error) {
    return `Cannot start: REPORT_SIGNING_KEYS: ${toMessage(error)}`;
  }
  try {
    getWatchCipher();
    return null;
  } catch (error) {
    return `Cannot start: ${toMessage(error)}`;
  }
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
