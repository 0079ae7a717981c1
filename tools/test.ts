import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeEnd, describeResult } from './test/describe-result.ts';
import { runStages } from './test/run-stages.ts';
import { selectStages } from './test/select-stages.ts';
import { sequences, stages } from './test/stages.ts';

/**
 * Runs the stages that the arguments of `npm test [-- stage…]` name, or all stages (see CONTRIBUTING.md). Returns the
 * exit code.
 */
async function test(args: readonly string[]): Promise<number> {
  const selection = selectStages(args, stages);
  if (!selection.ok) {
    console.error(selection.message);
    return 2;
  }
  const reports = await mkdtemp(join(tmpdir(), 'touchstone-test-'));
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      interruption.abort();
    });
  }
  const selected = sequences.map((sequence) => sequence.filter(({ name }) => selection.names.has(name)));
  const results = await runStages(selected, {
    root: join(import.meta.dirname, '..'),
    reports,
    signal: interruption.signal,
    onStart: ({ name }) => {
      console.log(`        ${name} …`);
    },
    onResult: (result) => {
      console.log(describeResult(result));
    },
  });
  await rm(reports, { recursive: true, force: true });
  console.log(describeEnd(results));
  return results.every(({ failed }) => failed === 0) ? 0 : 1;
}

process.exitCode = await test(process.argv.slice(2));
