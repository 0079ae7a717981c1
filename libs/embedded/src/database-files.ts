import fs from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { syncFolder } from './sync-tree.ts';

type InitArguments = Parameters<NodeFS['init']>;

/** Open file of the emscripten file system. A folder has no descriptor. */
interface Stream {
  readonly node: object;
  readonly nfd?: number;
}

/** Used parts of NODEFS, a file system of emscripten. No types exist for these parts. */
interface NodeFiles {
  realPath(node: object): string;
  /** Converts an error of Node to an error that PostgreSQL understands. */
  tryFSOperation(operation: () => void): void;
  readonly stream_ops: { fsync?: (stream: Stream) => number };
}

/** Part of the WebAssembly module of PGlite. PGlite's types lack the members of {@link NodeFiles}. */
interface FileModule {
  readonly FS: { readonly filesystems: { readonly NODEFS: NodeFiles } };
}

/** Segment of the write-ahead log; 24 hexadecimal digits. */
const LOG_SEGMENT = /[/\\]pg_wal[/\\][0-9A-F]{24}$/;
const MAX_MESSAGES = 20;

export interface DatabaseFilesOptions {
  /**
   * Called once when PostgreSQL panicked, for example because a sync of the write-ahead log failed. PGlite would continue
   * with a broken state, so the process should end in this call. The next start recovers from the log.
   */
  readonly onFatal: (message: string) => void;
}

/**
 * Files of a PGlite database that PostgreSQL can sync. PGlite's own class ignores `fsync`, so a power failure could lose
 * every commit since the start, and damage the folder. PostgreSQL itself syncs the log before the data files that depend
 * on the log, and panics when a sync fails.
 */
export class DatabaseFiles extends NodeFS {
  /** Latest messages of PostgreSQL, without their time, such as `FATAL:  …`. */
  readonly messages: string[] = [];
  /** True when the database cannot continue. */
  hasFailed = false;
  /** Data folder of the database. */
  readonly folder: string;
  readonly #onFatal: (message: string) => void;

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
        preRun: [...preRun, ({ FS }: FileModule) => installSync(FS.filesystems.NODEFS)],
      },
    };
  }

  #readMessage(line: string): void {
    const message = line.replace(/^[\d-]+ [\d:.]+ \w+ \[\d+\] /, '');
    this.messages.push(message);
    if (this.messages.length > MAX_MESSAGES) this.messages.shift();
    if (this.hasFailed || !message.startsWith('PANIC:')) return;
    this.hasFailed = true;
    this.#onFatal(message.replace(/^PANIC:\s*/, 'PostgreSQL stopped: '));
  }
}

/** Passes the syncs of PostgreSQL to the disk. Each sync blocks until the content is on the disk. */
function installSync(files: NodeFiles): void {
  files.stream_ops.fsync = ({ node, nfd }) => {
    files.tryFSOperation(() => {
      const path = files.realPath(node);
      if (nfd === undefined) syncFolder(path);
      // PostgreSQL fills a log segment with zeros first, so its size is on the disk already.
      else if (LOG_SEGMENT.test(path)) fs.fdatasyncSync(nfd);
      else fs.fsyncSync(nfd);
    });
    return 0;
  };
}
