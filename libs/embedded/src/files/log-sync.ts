import fs from 'node:fs';

/**
 * Writes the write-ahead log of PostgreSQL to the disk, once for all commits that wait at the same time (group commit).
 * PostgreSQL requests a sync at each commit and continues at once. The response to the commit waits for {@link flush}.
 */
export class LogSync {
  /** Open log files by path. Descriptors are separate from those of PostgreSQL, which closes and reuses its own. */
  readonly #descriptors = new Map<string, number>();
  readonly #requested = new Set<string>();
  #running: ReadonlySet<string> = new Set();
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** Requests a sync of a log file, whose content is written. */
  request(path: string): void {
    if (!this.#descriptors.has(path)) this.#descriptors.set(path, fs.openSync(path, 'r+'));
    this.#requested.add(path);
  }

  /**
   * Resolves when everything that was requested before this call is on the disk.
   * @throws the error of the file system; the data may then be lost, so the process must end.
   */
  flush(): Promise<void> {
    if (this.#requested.size === 0) return this.#current;
    // A sync that is already running does not cover later writes.
    this.#next ??= this.#current.then(() => this.#sync());
    return this.#next;
  }

  /** Syncs everything that was requested before this call, and blocks meanwhile. */
  flushNow(): void {
    for (const path of new Set([...this.#running, ...this.#requested])) {
      const descriptor = this.#descriptors.get(path);
      if (descriptor !== undefined) fs.fdatasyncSync(descriptor);
    }
    this.#requested.clear();
  }

  /** Waits for the running sync and closes all files. */
  async close(): Promise<void> {
    await this.flush().finally(() => {
      this.#closeExcept(new Set());
    });
  }

  #sync(): Promise<void> {
    this.#next = undefined;
    this.#current = this.#syncFiles([...this.#requested]);
    this.#requested.clear();
    return this.#current;
  }

  async #syncFiles(paths: readonly string[]): Promise<void> {
    this.#running = new Set(paths);
    for (const path of paths) {
      const descriptor = this.#descriptors.get(path);
      if (descriptor !== undefined) await syncFile(descriptor);
    }
    this.#running = new Set();
    const latest = paths.at(-1);
    if (latest !== undefined) this.#closeExcept(new Set([latest, ...this.#requested]));
  }

  #closeExcept(kept: ReadonlySet<string>): void {
    for (const [path, descriptor] of this.#descriptors) {
      if (kept.has(path)) continue;
      this.#descriptors.delete(path);
      fs.closeSync(descriptor);
    }
  }
}

function syncFile(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fs.fdatasync(descriptor, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}
