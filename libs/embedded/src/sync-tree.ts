import fs from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Number of files that are synced at the same time. The file system combines concurrent syncs. */
const CONCURRENCY = 16;

/** Syncs the list of files of a folder to the disk. Windows has no such operation, because it saves the list itself. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = fs.openSync(path, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Syncs all files and folders of a folder to the disk. */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const work = files.values();
  const sync = async (): Promise<void> => {
    for (const file of work) {
      const handle = await open(file, 'r+');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sync));
  const folders = entries.filter((entry) => entry.isDirectory());
  for (const { parentPath, name } of folders.reverse()) syncFolder(join(parentPath, name));
  syncFolder(folder);
}
