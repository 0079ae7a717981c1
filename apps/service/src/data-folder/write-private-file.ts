import fs from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '@touchstone/embedded';
import { ConfigError } from '../config/config.ts';

/**
 * Writes a file that only its owner can read. The write is atomic and on the disk when the function returns, because a
 * partly written or lost key file would make every later start fail, or lose what was encrypted with its keys.
 *
 * @throws ConfigError with the reason when the disk is full or the folder is not writable
 */
export function writePrivateFile(file: string, text: string): void {
  try {
    writeSynced(`${file}.new`, text);
    fs.renameSync(`${file}.new`, file);
    syncFolder(dirname(file));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `${file} cannot be written (${reason}). Free disk space, or make its folder writable.`,
    );
  }
}

function writeSynced(file: string, text: string): void {
  const descriptor = fs.openSync(file, 'w', 0o600);
  try {
    fs.writeFileSync(descriptor, text);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
