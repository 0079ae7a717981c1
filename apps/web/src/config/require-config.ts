import { readConfig } from './config.ts';
import { getSigningKeys } from './signing-keys.ts';

/** Stops a server that has no usable configuration, with one line that says which variable is wrong and why. */
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
