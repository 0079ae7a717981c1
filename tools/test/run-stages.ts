import { execute, type Workplace } from './execute.ts';
import { judge, type Verdict } from './judge.ts';
import type { Stage } from './stages.ts';

export interface StageResult extends Verdict {
  readonly name: string;
  readonly seconds: number;
  readonly output: string;
}

export interface Run extends Workplace {
  /** Called when a stage begins, and when it has ended. */
  readonly onStart: (stage: Stage) => void;
  readonly onResult: (result: StageResult) => void;
}

/**
 * Runs waves one after the other, the lanes of a wave side by side and the stages of a lane in turn. A failure stops
 * nothing but the stages that need what failed; those count as one failure each.
 *
 * @returns The results in the order in which the stages ended.
 */
export async function runStages(
  waves: readonly (readonly (readonly Stage[])[])[],
  run: Run,
): Promise<readonly StageResult[]> {
  const results: StageResult[] = [];
  const runLane = async (lane: readonly Stage[]): Promise<void> => {
    for (const stage of lane) {
      const needed = results.find(({ name }) => name === stage.needs);
      const result = needed !== undefined && needed.failed > 0 ? notRun(stage) : await runStage(stage, run);
      results.push(result);
      run.onResult(result);
    }
  };
  for (const lanes of waves) await Promise.all(lanes.map(runLane));
  return results;
}

async function runStage(stage: Stage, run: Run): Promise<StageResult> {
  if (run.signal.aborted) return { ...notRun(stage), problem: 'not run: interrupted' };
  run.onStart(stage);
  const startedAt = performance.now();
  const execution = await execute(stage, run);
  const seconds = (performance.now() - startedAt) / 1000;
  return { ...judge(stage, execution), name: stage.name, seconds, output: execution.output };
}

function notRun({ name, needs }: Stage): StageResult {
  return {
    name,
    passed: 0,
    failed: 1,
    skipped: [],
    seconds: 0,
    output: '',
    problem: `not run: ${needs ?? ''} failed`,
  };
}
