import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { ConfigError } from '../config/config.ts';
import { readTar, writeTar, type TarEntry } from './tar.ts';

/** Last file of an archive, with the SHA-256 of each other file. */
const MANIFEST = 'manifest.json';
/** Compression level of zlib. The level 1 is several times faster than the default, and the archive a tenth larger. */
const LEVEL = 1;

const manifestSchema = z.object({
  format: z.literal('touchstone-backup-1'),
  createdAt: z.iso.datetime(),
  files: z.record(z.string(), z.string()),
});
export type Manifest = z.infer<typeof manifestSchema>;

/**
 * Writes files to a new archive that only its owner can read, and verifies it by reading it again.
 *
 * @throws ConfigError when the archive exists already
 */
export async function writeArchive(file: string, entries: AsyncIterable<TarEntry>): Promise<Manifest> {
  if (existsSync(file))
    throw new ConfigError(`${file} exists already. Choose another name, or delete it first.`);
  const part = `${file}.part`;
  rmSync(part, { force: true });
  try {
    const archive = Readable.from(writeTar(addManifest(entries)), { objectMode: false });
    await pipeline(
      archive,
      createGzip({ level: LEVEL }),
      createWriteStream(part, { flags: 'wx', mode: 0o600 }),
    );
    const manifest = await readArchive(part);
    const handle = await open(part, 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    renameSync(part, file);
    return manifest;
  } finally {
    rmSync(part, { force: true });
  }
}

/**
 * Reads an archive, verifies each file, and writes the files to a folder if one is given.
 *
 * @throws ConfigError when the archive is damaged
 */
export async function readArchive(file: string, folder?: string): Promise<Manifest> {
  try {
    const files: Record<string, string> = {};
    const gunzip = createGunzip();
    const reading = pipeline(createReadStream(file), gunzip);
    reading.catch(() => undefined);
    for await (const entry of readTar(gunzip)) {
      if (entry.name === MANIFEST) return verify(JSON.parse(await readText(entry)), files);
      files[entry.name] = await readEntry(entry, folder);
    }
    throw new Error('It has no manifest.');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${file} is not a complete backup: ${reason} Use another backup.`);
  }
}

async function* addManifest(entries: AsyncIterable<TarEntry>): AsyncGenerator<TarEntry> {
  const files: Record<string, string> = {};
  for await (const entry of entries) {
    const hash = createHash('sha256');
    yield { ...entry, content: hashContent(entry, hash) };
    files[entry.name] = hash.digest('hex');
  }
  const manifest: Manifest = { format: 'touchstone-backup-1', createdAt: new Date().toISOString(), files };
  yield createEntry(MANIFEST, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
}

/** Returns the content of an entry with exactly its size, and adds it to a hash. */
async function* hashContent({ size, content }: TarEntry, hash: Hash): AsyncGenerator<Uint8Array> {
  let rest = size;
  for await (const chunk of content) {
    const part = chunk.subarray(0, rest);
    rest -= part.length;
    hash.update(part);
    yield part;
  }
  while (rest > 0) {
    const zeros = new Uint8Array(Math.min(rest, 65_536));
    rest -= zeros.length;
    hash.update(zeros);
    yield zeros;
  }
}

/** Creates an entry of an archive from its content. */
export function createEntry(name: string, bytes: Uint8Array): TarEntry {
  return { name, size: bytes.length, content: Readable.from([bytes]) };
}

async function readEntry({ name, content }: TarEntry, folder: string | undefined): Promise<string> {
  const hash = createHash('sha256');
  if (folder === undefined) {
    for await (const part of content) hash.update(part);
    return hash.digest('hex');
  }
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(addToHash(content, hash), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return hash.digest('hex');
}

async function* addToHash(content: TarEntry['content'], hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const part of content) {
    hash.update(part);
    yield part;
  }
}

async function readText({ content }: TarEntry): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

function verify(value: unknown, files: Readonly<Record<string, string>>): Manifest {
  const manifest = manifestSchema.parse(value);
  const names = new Set([...Object.keys(manifest.files), ...Object.keys(files)]);
  const damaged = [...names].find((name) => manifest.files[name] !== files[name]);
  if (damaged !== undefined) throw new Error(`The file ${damaged} is damaged.`);
  return manifest;
}
