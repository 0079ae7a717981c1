import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openSandboxClient, type SandboxClient, SandboxNotRunningError } from '@touchstone/probe';
import { z } from 'zod';
import { CliError } from '../command-tools.ts';

/** Name of a file in the data folder of a service. While the service runs, the file describes its sandbox. */
const SANDBOX_FILE = 'sandbox.json';

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

function createNoSandboxError(dataDir: string, cause?: SandboxNotRunningError): CliError {
  const reason = cause === undefined ? '' : `: ${cause.message}`;
  return new CliError(
    `No sandbox runs with the data folder ${resolve(dataDir)}${reason}. ` +
      'Start it with npm start, or give the data folder of a running sandbox with --data-dir.',
    { cause },
  );
}

/** Members of the sandbox file (`sandbox.json`) that a client of the service needs. */
const sandboxFileSchema = z.object({
  serviceUrl: z.url(),
  demoWalletKeyFile: z.string(),
  /** CAIP-2 id of the network on which the service sells. */
  network: z.string(),
});
type SandboxFile = z.infer<typeof sandboxFileSchema>;

/** Reads the file in which a running service describes its sandbox; null when the file is missing or unreadable. */
export function findSandboxFile(dataDir: string): SandboxFile | null {
  try {
    return sandboxFileSchema.parse(JSON.parse(readFileSync(join(resolve(dataDir), SANDBOX_FILE), 'utf8')));
  } catch {
    return null;
  }
}

/** Reads the file in which a running service describes its sandbox. @throws CliError for a missing or unreadable file */
export function readSandboxFile(dataDir: string): SandboxFile {
  const file = findSandboxFile(dataDir);
  if (file === null) throw createNoSandboxError(dataDir);
  return file;
}
