/**
 * Runs one step of a job. The name is unique in the run. Inngest runs each step in its own request and stores the result
 * of the step, so the result must be JSON.
 */
export type RunStep = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** Members of a context that a job with steps needs. */
export interface StepContext {
  /** Runs the steps of jobs. By default, a step runs immediately in this process. */
  readonly runStep?: RunStep;
  /** Aborted at the deadline of the current step. The next step or run continues the work. By default, there is no deadline. */
  readonly signal?: AbortSignal;
}

/** Runs one step of a job: in its own request on Inngest, otherwise immediately in this process. */
export function runStep<Result>(
  { runStep: run }: StepContext,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return run === undefined ? work() : run(name, work);
}

/** Batches of a job, each of which is one step. */
interface Batches<Batch> {
  /** Name of the steps; the number of the batch follows, from 1. */
  readonly name: string;
  /** Maximum number of batches. */
  readonly max: number;
  readonly run: () => Promise<Batch>;
  /** Returns true for the last batch. */
  readonly isLast: (batch: Batch) => boolean;
}

/** Runs batches one after the other until a batch is the last, or until the maximum is reached. Returns all batches. */
export async function runBatches<Batch>(
  context: StepContext,
  { name, max, run, isLast }: Batches<Batch>,
): Promise<readonly Batch[]> {
  const batches: Batch[] = [];
  while (batches.length < max) {
    const batch = await runStep(context, `${name} ${batches.length + 1}`, run);
    batches.push(batch);
    if (isLast(batch)) break;
  }
  return batches;
}

/**
 * Runs an operation until the signal is aborted. After the abort, the promise rejects immediately, and the result of
 * the operation is ignored.
 *
 * @param createError creates the error of the rejection when the signal is aborted before or during the operation
 */
export async function runUntilAborted<Result>(
  run: () => Promise<Result>,
  signal: AbortSignal,
  createError: () => Error,
): Promise<Result> {
  if (signal.aborted) throw createError();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(createError());
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([run(), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
