import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { expect, it } from 'vitest';

const SERVER = fileURLToPath(new URL('../../web/.next/server', import.meta.url));
/** Packages of the embedder process. */
const EMBEDDER_PACKAGES = /onnxruntime|@huggingface|xenova/;
const traceSchema = z.object({ files: z.array(z.string()) });

/** Lists the files that the server of the site loads at run time, as traced by the build. */
function listTracedFiles(): readonly string[] {
  return globSync('**/*.nft.json', { cwd: SERVER }).flatMap(
    (trace) => traceSchema.parse(JSON.parse(readFileSync(join(SERVER, trace), 'utf8'))).files,
  );
}

// onnxruntime-node has almost 300 MB and does not support every platform. Only the embedder process loads it.
it('the build of the site does not contain the packages of the embedder', () => {
  const traced = listTracedFiles();
  expect(traced.filter((file) => file.includes('@opentelemetry')).length).toBeGreaterThan(0);
  expect(traced.filter((file) => EMBEDDER_PACKAGES.test(file))).toEqual([]);

  const scripts = globSync('**/*.js', { cwd: SERVER });
  const includes = (text: RegExp) =>
    scripts.filter((script) => text.test(readFileSync(join(SERVER, script), 'utf8')));
  expect(includes(/search-unavailable/).length).toBeGreaterThan(0);
  expect(includes(EMBEDDER_PACKAGES)).toEqual([]);
});
