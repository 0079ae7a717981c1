import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * Bundles the playground as one script for browsers. The script contains the score formula of `@touchstone/trust`.
 *
 * @throws Error if bundling fails or the script needs a Node module.
 */
export async function bundlePlayground(): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('main.ts', import.meta.url)),
    platform: 'browser',
    // The bundler removes unused imports. This is safe because our modules have no side effects.
    treeshake: { moduleSideEffects: false },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`The playground cannot be bundled: ${log.message}`);
    },
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  const [script, ...others] = output;
  if (others.length > 0) throw new Error('The playground must be a single file, but the bundler split it');
  return script.code;
}
