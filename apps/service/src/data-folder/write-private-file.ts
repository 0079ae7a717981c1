import { renameSync, writeFileSync } from 'node:fs';

/**
 * Writes a file that only its owner can read. The write is atomic, because a partly written key file would make every
 * later start fail.
 */
export function writePrivateFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
