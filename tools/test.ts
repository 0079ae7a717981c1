import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatEnd, formatResult, runSequences } from './test/run-stage.ts';
import { listSequences, selectStages } from './test/stages.ts';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interruption.abort();
  });
}

/**
 * Runs the stages that the arguments of `npm test [-- stage…]` name, or all stages (see CONTRIBUTING.md). Returns the
 * exit code.
 */
async function test(names: readonly string[]): Promise<number> {
  const sequences = selectStages(listSequences(), names);
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-test-'));
  try {
    const results = await runSequences(sequences, {
      root: join(import.meta.dirname, '..'),
      folder,
      signal: interruption.signal,
      onStart: ({ name, note = '…' }) => console.log(`        ${name} ${note}`),
      onResult: (result) => console.log(formatResult(result)),
    });
    console.log(formatEnd(results));
    return results.every(({ failed }) => failed === 0) ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

try {
  process.exitCode = await test(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
