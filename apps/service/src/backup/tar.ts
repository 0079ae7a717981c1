/** Size of a block of a tar archive, in bytes. */
const BLOCK = 512;
/** Maximum length of a name in the archive, in bytes. Longer names need an extension of the format. */
const MAX_NAME_BYTES = 100;
const SAFE_NAME = /^[\w.-]+(?:\/[\w.-]+)*$/;

/** Header fields of the format ustar: offset and length in bytes. */
const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  size: [124, 12],
  time: [136, 12],
  checksum: [148, 8],
  magic: [257, 8],
} as const;

/** Regular file in an archive. */
export interface TarEntry {
  /** Path in the archive, with `/` as separator. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Writes a tar archive of regular files that only their owner can read. Content that is shorter than its size is filled with
 * zeros, and longer content is cut, because files of a running database change while they are read.
 */
export async function* writeTar(entries: AsyncIterable<TarEntry>): AsyncGenerator<Uint8Array> {
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

/**
 * Reads an archive of {@link writeTar}. The content of an entry must be read before the next entry.
 *
 * @throws Error when the archive ends early, a header is damaged, or a name leads out of the archive
 */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const reader = new BlockReader(chunks);
  for (;;) {
    const header = await reader.read(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const { name, size } = parseHeader(header);
    yield { name, size, content: reader.readUpTo(size) };
    await reader.read(getPadding(size));
  }
}

function getPadding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function formatHeader(name: string, size: number): Uint8Array {
  if (!SAFE_NAME.test(name) || Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw new Error(
      `The file ${name} cannot be stored: its name must have at most ${MAX_NAME_BYTES} letters, digits, ".", "_" or "-".`,
    );
  const header = Buffer.alloc(BLOCK);
  const set = (field: keyof typeof FIELDS, text: string): void =>
    void header.write(text, FIELDS[field][0], 'latin1');
  set('name', name);
  set('mode', '0000600\0');
  set('size', `${size.toString(8).padStart(11, '0')}\0`);
  set(
    'time',
    `${Math.floor(Date.now() / 1_000)
      .toString(8)
      .padStart(11, '0')}\0`,
  );
  set('magic', 'ustar\x0000');
  set('checksum', `${computeChecksum(header).toString(8).padStart(6, '0')}\0 `);
  return header;
}

function parseHeader(header: Buffer): { name: string; size: number } {
  const get = (field: keyof typeof FIELDS): string => {
    const [offset, length] = FIELDS[field];
    return header.toString('latin1', offset, offset + length).replace(/[\0 ].*$/s, '');
  };
  const name = get('name');
  const size = Number.parseInt(get('size'), 8);
  const isValid =
    Number.parseInt(get('checksum'), 8) === computeChecksum(header) && Number.isSafeInteger(size);
  if (!isValid || !SAFE_NAME.test(name) || name.split('/').includes('..'))
    throw new Error('A file header is damaged.');
  return { name, size };
}

/** Adds the bytes of a header, with spaces in place of the checksum itself. */
function computeChecksum(header: Buffer): number {
  const [start, length] = FIELDS.checksum;
  return header.reduce((sum, byte, index) => sum + (index >= start && index < start + length ? 32 : byte), 0);
}

/** Reads given numbers of bytes from chunks of other sizes. */
class BlockReader {
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
        if (next.done === true) throw new Error('It ends too early.');
        this.#buffered = next.value;
      }
      const part = this.#buffered.subarray(0, rest);
      this.#buffered = this.#buffered.subarray(part.length);
      rest -= part.length;
      yield part;
    }
  }
}
