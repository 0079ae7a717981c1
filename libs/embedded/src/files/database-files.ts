import fs from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { LogSync } from './log-sync.ts';
import { syncFolder } from './sync-tree.ts';

type InitArguments = Parameters<NodeFS['init']>;

/** Open file of the emscripten file system. A folder has no descriptor. */
interface Stream {
  readonly node: object;
  readonly nfd?: number;
}

/** Parts of emscripten's NODEFS that this class uses. Emscripten has no types for them. */
interface NodeFiles {
  realPath(node: object): string;
  /** Converts an error of Node to one that PostgreSQL understands. */
  tryFSOperation<T>(operation: () => T): T;
  readonly node_ops: {
    /** Changes attributes of a file. With the attribute `size`, it truncates the file. */
    setattr: (node: object, attributes: { readonly size?: number }) => void;
    unlink: (parent: object, name: string) => void;
    rename: (node: object, parent: object, name: string) => void;
  };
  readonly stream_ops: {
    fsync?: (stream: Stream) => number;
    write: (stream: Stream, ...rest: readonly unknown[]) => number;
  };
}

/** Part of the WebAssembly module of PGlite, whose types lack the members of {@link NodeFiles}. */
interface FileModule {
  readonly FS: { readonly filesystems: { readonly NODEFS: NodeFiles } };
}

/** Segment of the write-ahead log; 24 hexadecimal digits. */
const LOG_SEGMENT = /[/\\]pg_wal[/\\][0-9A-F]{24}$/;
const MAX_MESSAGES = 20;

export interface DatabaseFilesOptions {
  /**
   * Called once when the database cannot continue: PostgreSQL panicked, or a sync of the write-ahead log failed. Nothing
   * may be written afterwards, so the process should end in this call. The next start recovers from the log.
   */
  readonly onFatal: (message: string) => void;
}

/**
 * Files of a PGlite database that PostgreSQL can sync. PGlite's own class ignores `fsync`, so a power failure could lose
 * every commit since the start, and damage the folder.
 *
 * - PostgreSQL runs with `fsync=on`, and its calls reach the file system.
 * - The sync of a commit is deferred to {@link flush}, which covers all commits that wait. It happens earlier if
 *   PostgreSQL changes another file first, because a data page must not be on the disk before its log record.
 */
export class DatabaseFiles extends NodeFS {
  /** Latest messages of PostgreSQL, without their time, such as `FATAL:  …`. */
  readonly messages: string[] = [];
  readonly #log = new LogSync();
  readonly #onFatal: (message: string) => void;
  #failure: string | undefined;
  /** Bytes of write-ahead log that were written by this process. */
  logBytes = 0;

  /** Data folder of the database. */
  readonly folder: string;

  constructor(folder: string, { onFatal }: DatabaseFilesOptions) {
    super(folder);
    this.folder = folder;
    this.#onFatal = onFatal;
  }

  override async init(...[pg, options]: InitArguments): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    const { preRun = [] } = emscriptenOpts;
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        printErr: (line: string) => this.#readMessage(line),
        preRun: [...preRun, ({ FS }: FileModule) => this.#install(FS.filesystems.NODEFS)],
      },
    };
  }

  /** True when the database cannot continue. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Resolves when all commits that PostgreSQL has made are on the disk. */
  async flush(): Promise<void> {
    if (this.#failure !== undefined) throw new Error(this.#failure);
    try {
      await this.#log.flush();
    } catch (error) {
      this.#fail(formatSyncFailure(error));
      throw error;
    }
  }

  override async closeFs(): Promise<void> {
    await this.#log.close();
    await super.closeFs();
  }

  #install(files: NodeFiles): void {
    const { write } = files.stream_ops;
    files.stream_ops.fsync = (stream) => {
      files.tryFSOperation(() => this.#sync(files.realPath(stream.node), stream.nfd));
      return 0;
    };
    files.stream_ops.write = (stream, ...rest) => {
      const isLog = LOG_SEGMENT.test(files.realPath(stream.node));
      files.tryFSOperation(() => this.#prepareWrite(isLog));
      const written = write(stream, ...rest);
      if (isLog) this.logBytes += written;
      return written;
    };
    this.#installChanges(files);
  }

  /** Adds the sync of the log to the operations that change files without a write. */
  #installChanges(files: NodeFiles): void {
    const { node_ops } = files;
    const { setattr, unlink, rename } = node_ops;
    const prepare = (): void => files.tryFSOperation(() => this.#prepareWrite(false));
    node_ops.setattr = (node, attributes) => {
      if (attributes.size !== undefined) prepare();
      setattr(node, attributes);
    };
    node_ops.unlink = (parent, name) => {
      prepare();
      unlink(parent, name);
    };
    node_ops.rename = (node, parent, name) => {
      prepare();
      rename(node, parent, name);
    };
  }

  /** Syncs the log before another file is written, truncated, removed or renamed. */
  #prepareWrite(isLog: boolean): void {
    if (this.#failure !== undefined) throw Object.assign(new Error(this.#failure), { code: 'EIO' });
    if (isLog) return;
    try {
      this.#log.flushNow();
    } catch (error) {
      this.#fail(formatSyncFailure(error));
      throw error;
    }
  }

  #sync(path: string, descriptor: number | undefined): void {
    if (LOG_SEGMENT.test(path)) this.#log.request(path);
    else if (descriptor === undefined) syncFolder(path);
    else fs.fsyncSync(descriptor);
  }

  #readMessage(line: string): void {
    const message = line.replace(/^[\d-]+ [\d:.]+ \w+ \[\d+\] /, '');
    this.messages.push(message);
    if (this.messages.length > MAX_MESSAGES) this.messages.shift();
    if (message.startsWith('PANIC:')) this.#fail(message.replace(/^PANIC:\s*/, 'PostgreSQL stopped: '));
  }

  #fail(message: string): void {
    if (this.#failure !== undefined) return;
    this.#failure = message;
    this.#onFatal(message);
  }
}

function formatSyncFailure(error: unknown): string {
  return `The write-ahead log could not be synced to the disk (${error instanceof Error ? error.message : String(error)}).`;
}
