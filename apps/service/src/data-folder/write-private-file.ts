import { renameSync, writeFileSync } from 'node:fs';
import { ConfigError } from '../config/config.ts';

/**
 * Writes a file that only its owner can read. The write is atomic, because a partly written key file would make every
 * later start fail.
 *
 * @throws ConfigError with the reason when the disk is full or the folder is not writable
 */
export function writePrivateFile(file: string, text: string): void {
  try {
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `${file} cannot be written (${reason}). Free disk space, or make its folder writable.`,
    );
  }
}
