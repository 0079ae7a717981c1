import { execute, type ExecutionOptions } from './execute.ts';
import { evaluate, type Execution, type StageCounts } from './evaluate.ts';
import type { Stage } from './stages.ts';

/** Maximum number of files that run a second time. More failures are not due to the speed of the machine. */
const MAX_RERUN_FILES = 5;

export interface StageResult extends StageCounts {
  readonly name: string;
  readonly seconds: number;
  readonly output: string;
}

export interface RunOptions extends ExecutionOptions {
  /** Called before each stage. */
  readonly onStart: (stage: Stage) => void;
  readonly onResult: (result: StageResult) => void;
}

/**
 * Runs sequences (lists of stages) in parallel, and the stages of one sequence one after the other. When a stage fails, only
 * the stages that need it are left out. Each of those counts as one failure.
 *
 * @returns The results in the order in which the stages ended.
 */
export async function runStages(
  sequences: readonly (readonly Stage[])[],
  options: RunOptions,
): Promise<readonly StageResult[]> {
  const results: StageResult[] = [];
  const runSequence = async (sequence: readonly Stage[]): Promise<void> => {
    for (const stage of sequence) {
      const needed = results.find(({ name }) => name === stage.needs);
      const result = needed !== undefined && needed.failed > 0 ? skip(stage) : await runStage(stage, options);
      results.push(result);
      options.onResult(result);
    }
  };
  await Promise.all(sequences.map(runSequence));
  return results;
}

async function runStage(stage: Stage, options: RunOptions): Promise<StageResult> {
  if (options.signal.aborted) return { ...skip(stage), problem: 'not run: interrupted' };
  options.onStart(stage);
  const startedAt = performance.now();
  const execution = await executeWithRerun(stage, options);
  const seconds = (performance.now() - startedAt) / 1000;
  return { ...evaluate(stage, execution), name: stage.name, seconds, output: execution.output };
}

/** Runs a stage. With `CI` set, failed test files are run a second time, because the speed of a machine can fail a test. */
async function executeWithRerun(stage: Stage, options: RunOptions): Promise<Execution> {
  const first = await execute(stage, options);
  if (process.env['CI'] === undefined || options.signal.aborted) return first;
  const { problem } = evaluate(stage, first);
  if (problem !== null || first.report === null || stage.listFailedFiles === undefined) return first;
  const files = stage.listFailedFiles(first.report);
  if (files.length === 0 || files.length > MAX_RERUN_FILES) return first;
  const second = await execute(stage, options, files);
  const output = `${first.output}\nSecond run of the failed files:\n${second.output}`;
  return { ...second, output, report: first.report, rerun: second.report };
}

function skip({ name, needs }: Stage): StageResult {
  return {
    name,
    passed: 0,
    failed: 1,
    failures: [],
    flaky: [],
    skipped: [],
    seconds: 0,
    output: '',
    problem: `not run: ${needs ?? ''} failed`,
  };
}
