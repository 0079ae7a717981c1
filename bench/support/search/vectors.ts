import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMBEDDING_DIMENSIONS, EMBEDDING_MODEL, MAX_TEXTS_PER_CALL, type Embedder } from '@touchstone/search';
import { createSeededRandom } from '../random-inputs.ts';

export type Vector = Float32Array;

const HASH_BYTES = 32;
const RECORD_BYTES = HASH_BYTES + EMBEDDING_DIMENSIONS * 4;
/** Vectors of earlier runs: records of a SHA-256 and 384 floats. The model is part of the name. */
const CACHE_FILE = join(tmpdir(), `touchstone-bench-${EMBEDDING_MODEL.replaceAll('/', '-')}.vectors`);
/** Factor of the difference that is added to a real vector. */
const SHIFT = 0.4;

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex');

function readCache(): Map<string, Vector> {
  const vectors = new Map<string, Vector>();
  if (!existsSync(CACHE_FILE)) return vectors;
  const bytes = readFileSync(CACHE_FILE);
  const records = Math.floor(bytes.length / RECORD_BYTES);
  // A run that was killed may leave half of a record at the end.
  if (bytes.length !== records * RECORD_BYTES) truncateSync(CACHE_FILE, records * RECORD_BYTES);
  for (let record = 0; record < records; record += 1) {
    const start = record * RECORD_BYTES;
    const floats = bytes.buffer.slice(
      bytes.byteOffset + start + HASH_BYTES,
      bytes.byteOffset + start + RECORD_BYTES,
    );
    vectors.set(bytes.toString('hex', start, start + HASH_BYTES), new Float32Array(floats));
  }
  return vectors;
}

/**
 * Embeds texts, and keeps the vectors in a file in the temporary folder for later runs.
 *
 * @returns the vectors in the order of the texts, and the number of texts that were not in the file
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
): Promise<{ readonly vectors: readonly Vector[]; readonly embedded: number; readonly ms: number }> {
  const cache = readCache();
  const missing = [...new Set(texts)].filter((text) => !cache.has(hashText(text)));
  const startedAt = performance.now();
  for (let start = 0; start < missing.length; start += MAX_TEXTS_PER_CALL) {
    const slice = missing.slice(start, start + MAX_TEXTS_PER_CALL);
    const vectors = (await embedder.embed(slice)).map((vector) => new Float32Array(vector));
    for (const [index, vector] of vectors.entries()) {
      const hash = hashText(slice[index] ?? '');
      cache.set(hash, vector);
      appendFileSync(
        CACHE_FILE,
        Buffer.concat([
          Buffer.from(hash, 'hex'),
          Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
        ]),
      );
    }
  }
  const vectors = texts.map((text) => {
    const vector = cache.get(hashText(text));
    if (vector === undefined) throw new Error('a text was not embedded');
    return vector;
  });
  return { vectors, embedded: missing.length, ms: performance.now() - startedAt };
}

function toUnit(values: Float32Array): Vector {
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

/**
 * Returns a generator of vectors that are distributed like the real vectors of a group. Each one is a real vector,
 * rotated in the direction of the difference of two others. So a group of similar texts gets small rotations, and a
 * group of different texts large ones.
 */
export function createVectorGenerator(seed: number): (group: readonly Vector[]) => Vector {
  const random = createSeededRandom(seed);
  return (group) => {
    const choose = (): Vector => {
      const vector = group[Math.floor(random() * group.length)];
      if (vector === undefined) throw new RangeError('a group of texts has no embedded text');
      return vector;
    };
    const [base, one, other] = [choose(), choose(), choose()];
    return toUnit(base.map((value, index) => value + SHIFT * ((one[index] ?? 0) - (other[index] ?? 0))));
  };
}

/** Formats a vector as pgvector reads it, with seven significant digits, which is the precision of its floats. */
export function formatVector(vector: Vector): string {
  return `[${Array.from(vector, (value) => Number(value.toPrecision(7))).join(',')}]`;
}
