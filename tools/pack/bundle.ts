import { isBuiltin } from 'node:module';
import { rolldown, type OutputChunk } from 'rolldown';
import { createMergePlugin } from './merge-copies.ts';

export interface BundleOptions {
  /** Path of the module at which the bundle begins. */
  readonly entry: string;
  /** File name of the entry in the bundle. */
  readonly entryName: string;
  readonly outDir: string;
  /** `node`: the bundle may import modules of Node.js. `neutral`: it imports nothing, so it also runs in browsers. */
  readonly platform: 'node' | 'neutral';
}

/** Calls of `require` that remain in the bundle of a CommonJS module. */
const REQUIRE_CALL = /\b__require\("([^"]+)"\)/g;

/**
 * Writes a program and everything that it imports as ES modules.
 *
 * @returns the paths of the included modules
 * @throws Error when the bundle would still need another package
 */
export async function writeBundle({
  entry,
  entryName,
  outDir,
  platform,
}: BundleOptions): Promise<readonly string[]> {
  const bundle = await rolldown({
    input: entry,
    platform,
    tsconfig: false,
    plugins: [createMergePlugin()],
    // This warning depends on the load of the machine, and every other warning stops the build.
    checks: { bundlerTimings: false },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`The bundle of ${entry} has a warning: ${log.message}`);
    },
  });
  try {
    const options = {
      dir: outDir,
      format: 'esm',
      entryFileNames: entryName,
      chunkFileNames: '[name].js',
    } as const;
    const { output } = await bundle.write(options);
    const chunks = output.filter((file) => file.type === 'chunk');
    assertComplete(chunks, platform);
    return chunks.flatMap(({ moduleIds }) => moduleIds);
  } finally {
    await bundle.close();
  }
}

function assertComplete(chunks: readonly OutputChunk[], platform: BundleOptions['platform']): void {
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const needed = chunks.flatMap(({ imports, dynamicImports, code }) => [
    ...[...imports, ...dynamicImports].filter((name) => !own.has(name)),
    ...Array.from(code.matchAll(REQUIRE_CALL), ([, name = '']) => name),
  ]);
  const missing = needed.filter((name) => platform === 'neutral' || !isBuiltin(name));
  if (missing.length > 0)
    throw new Error(
      `The bundle must contain everything that it uses; it still imports ${missing.join(', ')}.`,
    );
}
