import { join, resolve } from 'node:path';
import { SandboxNotRunningError, openSandboxClient, type SandboxClient } from '@touchstone/probe';
import { CliError } from '../cli-error.ts';

/** Name of the file in which a running service describes its sandbox. It is in the data folder of the service. */
export const SANDBOX_FILE = 'sandbox.json';

/**
 * Connects to the sandbox of a service that runs on this machine.
 *
 * @param dataDir data folder of that service
 * @throws CliError with the reason when no sandbox is running there
 */
export async function openSandbox(dataDir: string): Promise<SandboxClient> {
  try {
    return await openSandboxClient(join(resolve(dataDir), SANDBOX_FILE));
  } catch (cause) {
    if (!(cause instanceof SandboxNotRunningError)) throw cause;
    throw createNoSandboxError(dataDir, cause);
  }
}

/** Creates the error for a data folder without a running sandbox. */
export function createNoSandboxError(dataDir: string, cause?: SandboxNotRunningError): CliError {
  const reason = cause === undefined ? '' : `: ${cause.message}`;
  return new CliError(
    `No sandbox runs with the data folder ${resolve(dataDir)}${reason}. ` +
      'Start it with npm start, or give the data folder of a running sandbox with --data-dir.',
    { cause },
  );
}
