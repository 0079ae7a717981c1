import { fileURLToPath } from 'node:url';
import { rolldown, type RolldownBuild } from 'rolldown';

/**
 * Page scripts with one file each. The key is the file name in the public folder, and the value is the entry module.
 */
export const SCRIPTS = {
  'charts.js': new URL('../page-parts/charts.js', import.meta.url),
  'claim.js': new URL('../interactive/claim/main.tsx', import.meta.url),
  'copy.js': new URL('../page-parts/copy.js', import.meta.url),
  'docs.js': new URL('../views/docs/docs.js', import.meta.url),
  'playground.js': new URL('../views/methodology/playground/main.ts', import.meta.url),
  'watch.js': new URL('../interactive/watch/main.tsx', import.meta.url),
} as const;

/**
 * Page scripts that share files. The key is the file name in the public folder without its extension, and the value is
 * the entry module.
 */
const MODULE_SCRIPTS = {
  explore: new URL('../interactive/explore/browser/main.tsx', import.meta.url),
  site: new URL('../interactive/search-box/main.ts', import.meta.url),
} as const;

/** Pattern of the names of shared files: files of several scripts, and files that a script loads later. */
export const SHARED_FILE = /^shared-[\w-]+\.js$/;

/** Pattern of the paths of our own modules. */
const OWN_MODULE = /[/\\](?:apps|libs)[/\\][^/\\]+[/\\]src[/\\]/;

/** File of the public folder that the bundler wrote. */
export interface BundledFile {
  readonly name: string;
  readonly code: string;
  /** Names of the files that the browser loads together with this file. */
  readonly imports: readonly string[];
}

/**
 * Bundles a script of a page as one file for browsers.
 *
 * @throws Error if bundling fails or the script needs a Node module.
 */
export async function bundleScript(name: keyof typeof SCRIPTS): Promise<string> {
  const bundle = await openBundle(name, fileURLToPath(SCRIPTS[name]));
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  const [script, ...others] = output;
  if (others.length > 0) throw new Error(`${name} must be a single file, but the bundler split it`);
  return script.code;
}

/**
 * Bundles the scripts that share files. The name of a shared file contains a hash of its content, so browsers can cache
 * the file permanently.
 *
 * @throws Error if bundling fails or a script needs a Node module.
 */
export async function bundleModules(): Promise<readonly BundledFile[]> {
  const entries = Object.entries(MODULE_SCRIPTS).map(([name, url]) => [name, fileURLToPath(url)] as const);
  const bundle = await openBundle('a module script', Object.fromEntries(entries));
  const { output } = await bundle.generate({
    format: 'esm',
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared-[hash].js',
  });
  await bundle.close();
  return output.map((file) => {
    if (file.type !== 'chunk') throw new Error(`The bundler wrote ${file.fileName}, which is not a script`);
    return { name: file.fileName, code: file.code, imports: file.imports };
  });
}

function openBundle(name: string, input: string | Record<string, string>): Promise<RolldownBuild> {
  return rolldown({
    input,
    platform: 'browser',
    // React selects its production version by the variable NODE_ENV. Browsers do not have this variable.
    transform: { define: { 'process.env.NODE_ENV': '"production"' }, jsx: { runtime: 'automatic' } },
    // The bundler removes unused imports of our modules. This is safe because our modules have no side effects, except
    // for the script times.js.
    treeshake: {
      moduleSideEffects: [
        { test: /[/\\]times\.js$/, sideEffects: true },
        { test: OWN_MODULE, sideEffects: false },
      ],
    },
    onLog: (level, log) => {
      // The directive "use client" concerns only servers that render React.
      if (level === 'warn' && log.code !== 'MODULE_LEVEL_DIRECTIVE')
        throw new Error(`${name} cannot be bundled: ${log.message}`);
    },
  });
}
