import { type Environment, readConfig } from './config.ts';
import { createConfiguredCipher, readConfiguredKeys } from './configured-keys.ts';

/** Exits the process if the configuration is invalid, and prints one line that names the variable and the reason. */
export async function requireConfig(): Promise<void> {
  const problem = await findConfigProblem(process.env);
  if (problem === null) return;
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

/** Returns one line that names the first invalid variable and the reason; null if the configuration is valid. */
export async function findConfigProblem(environment: Environment): Promise<string | null> {
  const result = readConfig(environment);
  if (!result.ok) return result.problem;
  try {
    await readConfiguredKeys(result.config, environment);
  } catch (error) {
    return `Cannot start: REPORT_SIGNING_KEYS: ${toMessage(error)}`;
  }
  try {
    createConfiguredCipher(result.config);
    return null;
  } catch (error) {
    return `Cannot start: ${toMessage(error)}`;
  }
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
