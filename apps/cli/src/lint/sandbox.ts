import { join, resolve } from 'node:path';
import { LocalWorldError, openLocalWorld, type LocalWorld } from '@touchstone/probe';
import { CliError } from '../cli-error.ts';

/**
 * Finds the sandbox of a service that runs on this machine.
 *
 * @param dataDir the service's data folder, where it says where its sandbox is
 * @throws CliError when none runs there, with the reason
 */
export async function openSandbox(dataDir: string): Promise<LocalWorld> {
  const folder = resolve(dataDir);
  try {
    return await openLocalWorld(join(folder, 'sandbox.json'));
  } catch (cause) {
    if (!(cause instanceof LocalWorldError)) throw cause;
    throw new CliError(
      `No sandbox runs with the data folder ${folder}: ${cause.message}. ` +
        'Start one there with npm start, or name the folder of one that runs with --data-dir.',
      { cause },
    );
  }
}
