import { readConfig } from './config.ts';
import { getSigningKeys } from './signing-keys.ts';

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
    return null;
  } catch (error) {
    return `Cannot start: REPORT_SIGNING_KEYS: ${error instanceof Error ? error.message : String(error)}`;
  }
}
