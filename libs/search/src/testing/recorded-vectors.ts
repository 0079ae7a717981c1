import { readFileSync } from 'node:fs';
import { z } from 'zod';

const schema = z.object({
  texts: z.array(z.object({ title: z.string(), text: z.string(), vector: z.base64() })),
});

/** Fixed text with the raw vector that another implementation computed. */
export interface RecordedVector {
  readonly title: string;
  readonly text: string;
  readonly vector: readonly number[];
}

/** Reads the recorded vectors. The note in the file describes how they were computed. */
export function readRecordedVectors(): readonly RecordedVector[] {
  const file = new URL('./recorded-vectors.json', import.meta.url);
  return schema.parse(JSON.parse(readFileSync(file, 'utf8'))).texts.map(({ vector, ...text }) => {
    const bytes = Buffer.from(vector, 'base64');
    const count = bytes.length / Float32Array.BYTES_PER_ELEMENT;
    return { ...text, vector: Array.from({ length: count }, (_, index) => bytes.readFloatLE(4 * index)) };
  });
}
