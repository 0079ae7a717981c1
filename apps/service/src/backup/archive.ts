import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ConfigError } from '../config/config.ts';

/**
 * Compression level of zlib. Level 1 is several times faster than the default level, but makes the archive a tenth
 * larger.
 */
const LEVEL = 1;
/** Size of a block of a tar archive, in bytes. */
const BLOCK = 512;
/** Maximum length of a name in the archive, in bytes. Longer names need an extension of the format. */
const MAX_NAME_BYTES = 100;
const SAFE_NAME = /^[\w.-]+(?:\/[\w.-]+)*\/?$/;

/** Header fields of the tar format ustar: offset and length in bytes. */
const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  size: [124, 12],
  time: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
} as const;

/** File or folder in an archive. */
export interface Entry {
  /** Path in the archive, with `/` as separator. The name of a folder ends with `/`. */
  readonly name: string;
  /** Size in bytes; 0 for a folder. */
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface Contents {
  /** Time at which the archive was written, ISO 8601. */
  readonly createdAt: string;
  /** Paths of the files. Folders are not included. */
  readonly files: readonly string[];
}

/**
 * Writes a compressed tar archive that only its owner can read, and verifies it by reading it again.
 *
 * @throws ConfigError when the archive exists already
 */
export async function writeArchive(file: string, entries: AsyncIterable<Entry>): Promise<Contents> {
  if (existsSync(file))
    throw new ConfigError(`${file} exists already. Choose another name, or delete it first.`);
  const part = `${file}.part`;
  rmSync(part, { force: true });
  try {
    await pipeline(
      Readable.from(formatTar(entries), { objectMode: false }),
      createGzip({ level: LEVEL }),
      createWriteStream(part, { flags: 'wx', mode: 0o600 }),
    );
    const contents = await readArchive(part);
    const handle = await open(part, 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    renameSync(part, file);
    return contents;
  } finally {
    rmSync(part, { force: true });
  }
}

/**
 * Reads a whole archive and verifies its gzip checksum. If `folder` is given, also writes the files to `folder`.
 *
 * @throws ConfigError when the archive is damaged; some files may already have been written
 */
export async function readArchive(file: string, folder?: string): Promise<Contents> {
  try {
    const gunzip = createGunzip();
    pipeline(createReadStream(file), gunzip).catch(() => undefined);
    const reader = new ByteReader(gunzip);
    const files: string[] = [];
    let time = 0;
    for (;;) {
      const header = await reader.read(BLOCK);
      if (header.every((byte) => byte === 0)) break;
      const entry = parseHeader(header);
      const content = reader.readUpTo(entry.size);
      if (folder === undefined) for await (const _ of content);
      else await writeEntry(folder, { ...entry, content });
      await reader.read(getPadding(entry.size));
      if (!entry.name.endsWith('/')) files.push(entry.name);
      ({ time } = entry);
    }
    await reader.skipRest();
    return { createdAt: new Date(time * 1_000).toISOString(), files };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${file} is not a complete backup (${reason}). Use another backup.`);
  }
}

async function writeEntry(folder: string, { name, content }: Entry): Promise<void> {
  const path = join(folder, name);
  mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true, mode: 0o700 });
  if (name.endsWith('/')) return;
  await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
}

/**
 * Formats entries as a tar archive. If the content of a file is shorter than its size, zeros are added. Longer content
 * is cut. The lengths can differ, because files of a running database change while they are read.
 */
async function* formatTar(entries: AsyncIterable<Entry>): AsyncGenerator<Uint8Array> {
  for await (const { name, size, content } of entries) {
    yield formatHeader(name, size);
    let rest = size;
    for await (const chunk of content) {
      const part = chunk.subarray(0, rest);
      rest -= part.length;
      yield part;
      if (rest === 0) break;
    }
    for (; rest > 0; rest -= BLOCK) yield new Uint8Array(Math.min(rest, BLOCK));
    yield new Uint8Array(getPadding(size));
  }
  yield new Uint8Array(2 * BLOCK);
}

function getPadding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function formatHeader(name: string, size: number): Uint8Array {
  if (!SAFE_NAME.test(name) || Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw new Error(
      `The file ${name} cannot be stored: its name must have at most ${MAX_NAME_BYTES} letters, digits, ".", "_" or "-".`,
    );
  const isFolder = name.endsWith('/');
  const header = Buffer.alloc(BLOCK);
  const set = (field: keyof typeof FIELDS, text: string): void =>
    void header.write(text, FIELDS[field][0], 'latin1');
  const formatOctal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
  set('name', name);
  set('mode', isFolder ? '0000700\0' : '0000600\0');
  set('size', `${formatOctal(size, 11)}\0`);
  set('time', `${formatOctal(Math.floor(Date.now() / 1_000), 11)}\0`);
  set('type', isFolder ? '5' : '0');
  set('magic', 'ustar\x0000');
  set('checksum', `${formatOctal(computeChecksum(header), 6)}\0 `);
  return header;
}

/** Parses a header of {@link formatHeader}. `time` is in seconds since 1970. */
function parseHeader(header: Buffer): { name: string; size: number; time: number } {
  const get = (field: keyof typeof FIELDS): string => {
    const [offset, length] = FIELDS[field];
    return header.toString('latin1', offset, offset + length).replace(/[\0 ].*$/s, '');
  };
  const name = get('name');
  const [size, time, checksum] = [get('size'), get('time'), get('checksum')].map((text) =>
    Number.parseInt(text, 8),
  );
  const isValid =
    checksum === computeChecksum(header) && SAFE_NAME.test(name) && !name.split('/').includes('..');
  if (!isValid || size === undefined || time === undefined || !Number.isSafeInteger(size + time))
    throw new Error('A file header is damaged.');
  return { name, size, time };
}

/** Adds the bytes of a header. The bytes of the checksum count as spaces. */
function computeChecksum(header: Buffer): number {
  const [start, length] = FIELDS.checksum;
  return header.reduce((sum, byte, index) => sum + (index >= start && index < start + length ? 32 : byte), 0);
}

/** Reader that returns a requested number of bytes. The source has chunks of any size. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffered: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async read(size: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for await (const part of this.readUpTo(size)) parts.push(part);
    return Buffer.concat(parts);
  }

  async *readUpTo(size: number): AsyncGenerator<Uint8Array> {
    for (let rest = size; rest > 0;) {
      if (this.#buffered.length === 0) {
        const next = await this.#chunks.next();
        if (next.done === true) throw new Error('it ends too early');
        this.#buffered = next.value;
      }
      const part = this.#buffered.subarray(0, rest);
      this.#buffered = this.#buffered.subarray(part.length);
      rest -= part.length;
      yield part;
    }
  }

  async skipRest(): Promise<void> {
    while ((await this.#chunks.next()).done !== true);
  }
}
