import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** Scripts of pages: file name in the public folder, and entry module. */
export const SCRIPTS = {
  'playground.js': new URL('../playground/main.ts', import.meta.url),
  'watch.js': new URL('../watch/main.tsx', import.meta.url),
} as const;

/** Pattern of the paths of our own modules. */
const OWN_MODULE = /[/\\](?:apps|libs)[/\\][^/\\]+[/\\]src[/\\]/;

/**
 * Bundles a script of a page as one file for browsers.
 *
 * @throws Error if bundling fails or the script needs a Node module.
 */
export async function bundleScript(name: keyof typeof SCRIPTS): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(SCRIPTS[name]),
    platform: 'browser',
    // React selects its production version by this variable, which browsers do not have.
    transform: { define: { 'process.env.NODE_ENV': '"production"' }, jsx: { runtime: 'automatic' } },
    // The bundler removes unused imports of our modules. This is safe because they have no side effects.
    treeshake: { moduleSideEffects: [{ test: OWN_MODULE, sideEffects: false }] },
    onLog: (level, log) => {
      // The directive "use client" concerns only servers that render React.
      if (level === 'warn' && log.code !== 'MODULE_LEVEL_DIRECTIVE')
        throw new Error(`${name} cannot be bundled: ${log.message}`);
    },
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  const [script, ...others] = output;
  if (others.length > 0) throw new Error(`${name} must be a single file, but the bundler split it`);
  return script.code;
}
