import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file atomically, readable by the owner only. A partly written key would make every later start fail. */
export function writePrivateFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
