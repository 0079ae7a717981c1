import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { expect, it } from 'vitest';

const SITE = fileURLToPath(new URL('../../web/', import.meta.url));
const BUILD = join(SITE, '.next');
const SERVER = join(BUILD, 'server');
/** Packages of the embedder process. */
const EMBEDDER_PACKAGES = /onnxruntime|@huggingface|xenova/;
const traceSchema = z.object({ files: z.array(z.string()) });

const readJson = <Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema> =>
  schema.parse(JSON.parse(readFileSync(join(BUILD, file), 'utf8')));

/** Lists the files that the server of the site loads at run time, as traced by the build. */
function listTracedFiles(): readonly string[] {
  return globSync('**/*.nft.json', { cwd: SERVER }).flatMap(
    (trace) => readJson(join('server', trace), traceSchema).files,
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

// The proxy hides these routes (apps/web/src/proxy.ts), and framework-routes.test.ts requests them.
it('the build of the site has two routes and two pages of Next, no image optimizer and no server actions', () => {
  const files = globSync(['**/{page.tsx,route.ts,icon.svg,apple-icon.png,favicon.ico}', '.*/**/route.ts'], {
    cwd: join(SITE, 'src/app'),
  });
  // Next names a static file like a route handler.
  const own = files.map(
    (file) => `/${file.replace(/\.tsx?$/, '').replace(/^[\w-]+\.(?:svg|png|ico)$/, '$&/route')}`,
  );
  const routes = Object.keys(readJson('app-path-routes-manifest.json', z.record(z.string(), z.string())));
  expect(own.filter((route) => !routes.includes(route))).toEqual([]);
  expect(routes.filter((route) => !own.includes(route)).toSorted()).toEqual([
    '/_global-error/page',
    '/_not-found/page',
  ]);
  const pages = readJson('server/pages-manifest.json', z.record(z.string(), z.string()));
  expect(Object.keys(pages)).toEqual(['/404', '/500']);
  const { images } = readJson(
    'images-manifest.json',
    z.object({ images: z.object({ unoptimized: z.boolean() }) }),
  );
  expect(images.unoptimized).toBe(true);
  const actions = z.object({ node: z.object({}).strict(), edge: z.object({}).strict() });
  readJson('server/server-reference-manifest.json', actions.loose());
});
