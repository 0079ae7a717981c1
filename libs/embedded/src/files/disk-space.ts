import fs from 'node:fs';

/** Free space below which nothing is written, in bytes. PostgreSQL panics when a segment of its log finds no space. */
const MIN_FREE_BYTES = 64 * 1024 * 1024;
const CACHE_MS = 500;

/** Free space of the disk of a folder, read at most twice a second. */
export class DiskSpace {
  readonly #folder: string;
  readonly #onNotice: (message: string) => void;
  #readAt = Number.NEGATIVE_INFINITY;
  #isFull = false;

  /** @param onNotice receives a sentence for the operator when the disk becomes full, and when it has space again */
  constructor(folder: string, onNotice: (message: string) => void) {
    this.#folder = folder;
    this.#onNotice = onNotice;
  }

  /** Returns true if the disk has too little space for writing. */
  isFull(): boolean {
    const now = performance.now();
    if (now - this.#readAt < CACHE_MS) return this.#isFull;
    this.#readAt = now;
    const { bavail, bsize } = fs.statfsSync(this.#folder);
    const isFull = bavail * bsize < MIN_FREE_BYTES;
    if (isFull !== this.#isFull) {
      this.#isFull = isFull;
      this.#onNotice(formatSpace(isFull));
    }
    return isFull;
  }
}

function formatSpace(isFull: boolean): string {
  return isFull
    ? `The disk is full: less than ${MIN_FREE_BYTES / 1024 / 1024} MB are free. Nothing is recorded or sold until space is freed; reading continues.`
    : 'The disk has free space again. Recording continues.';
}
