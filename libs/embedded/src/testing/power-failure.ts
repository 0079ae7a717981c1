import fs from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Original functions of the module `node:fs`. PGlite and this package call these functions as members of the module.
 */
const original = { ...fs };

/**
 * Records which content of a folder is on the disk, by the rules of POSIX. A file has the content of its last sync. A
 * sync of a new file also keeps its name. A renamed or removed file changes with the sync of its folder. This class
 * replaces functions of `node:fs` until {@link PowerFailure.stop}.
 */
export class PowerFailure {
  readonly #folder: string;
  /** Synced content by inode. */
  readonly #contents = new Map<number, Buffer>();
  /** Inode of each file whose name is on the disk, by path. Only these files remain after a power failure. */
  readonly #names = new Map<string, number>();
  readonly #paths = new Map<number, string>();
  /** Paths of all syncs, relative to the folder, in their order. */
  readonly syncs: string[] = [];

  /** @param folder folder whose content is on the disk now */
  constructor(folder: string) {
    this.#folder = folder;
    for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
      if (entry.isFile()) this.#record(join(entry.parentPath, entry.name));
    }
    this.#replace();
  }

  /** Writes the files that would remain after a power failure at this moment to a new folder. */
  writeRemains(target: string): void {
    const folders = fs.readdirSync(this.#folder, { withFileTypes: true, recursive: true });
    original.mkdirSync(target, { recursive: true, mode: 0o700 });
    for (const entry of folders) {
      if (entry.isDirectory())
        original.mkdirSync(join(target, relative(this.#folder, join(entry.parentPath, entry.name))), {
          recursive: true,
        });
    }
    for (const [path, inode] of this.#names) {
      const copy = join(target, relative(this.#folder, path));
      original.mkdirSync(dirname(copy), { recursive: true });
      original.writeFileSync(copy, this.#contents.get(inode) ?? '');
    }
  }

  stop(): void {
    const { openSync, renameSync, fsyncSync, fdatasyncSync } = original;
    Object.assign(fs, { openSync, renameSync, fsyncSync, fdatasyncSync });
  }

  #record(path: string): void {
    const { ino } = original.statSync(path);
    this.#contents.set(ino, original.readFileSync(path));
    this.#names.set(path, ino);
  }

  #replace(): void {
    const sync = (descriptor: number): void => {
      const path = this.#paths.get(descriptor);
      if (path?.startsWith(this.#folder) === true) this.#sync(path);
    };
    Object.assign(fs, {
      openSync: (...call: Parameters<typeof fs.openSync>) => {
        const descriptor = original.openSync(...call);
        this.#paths.set(descriptor, String(call[0]));
        return descriptor;
      },
      renameSync: (from: string, to: string) => {
        original.renameSync(from, to);
        for (const [descriptor, path] of this.#paths) if (path === from) this.#paths.set(descriptor, to);
      },
      fsyncSync: sync,
      fdatasyncSync: sync,
    });
  }

  #sync(path: string): void {
    const stat = original.statSync(path);
    if (stat.isDirectory()) {
      this.#syncFolder(path);
      return;
    }
    this.syncs.push(relative(this.#folder, path));
    this.#contents.set(stat.ino, original.readFileSync(path));
    if (![...this.#names.values()].includes(stat.ino)) this.#names.set(path, stat.ino);
  }

  #syncFolder(folder: string): void {
    this.syncs.push(`${relative(this.#folder, folder)}/`);
    for (const path of this.#names.keys()) if (dirname(path) === folder) this.#names.delete(path);
    for (const entry of original.readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isFile()) this.#names.set(path, original.statSync(path).ino);
    }
  }
}
