import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * The script of the playground in one piece, for browsers. It holds the formula itself, from the library that scores.
 *
 * @throws Error when it does not bundle, or when something of it needs Node
 */
export async function bundlePlayground(): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('main.ts', import.meta.url)),
    platform: 'browser',
    // What an import is not used for is left out: no module of ours does anything but export.
    treeshake: { moduleSideEffects: false },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`The playground does not bundle: ${log.message}`);
    },
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  const [script, ...others] = output;
  if (others.length > 0) throw new Error('The playground is one file; its script must not be split');
  return script.code;
}
