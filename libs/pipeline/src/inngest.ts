import type { Inngest, InngestFunction } from 'inngest';
import type { PipelineContext } from './context.ts';
import { discoverFunction, readDirectoryFunction } from './inngest-discovery.ts';
import {
  confirmFunction,
  confirmMissesFunction,
  probeBatchFunction,
  sweepFunction,
  type ProbingOptions,
} from './inngest-probing.ts';
import { settleFunction } from './inngest-settling.ts';
import { maintainFunction, scoreFunction } from './inngest-upkeep.ts';
import { JOB } from './jobs.ts';

/**
 * The jobs as Inngest functions, calling the same verbs as the scheduler in process. A cron only finds out what there
 * is to do; each batch of slots and each directory is a run of its own. Steps return counts, never observations, and
 * can be delivered twice: slots, listings and snapshots are keyed in the database.
 *
 * @param context made when a step runs, so that nothing is opened when functions are only listed
 */
function createInngestFunctions(
  client: Inngest,
  context: () => PipelineContext,
  options: ProbingOptions,
): readonly InngestFunction.Any[] {
  return [
    discoverFunction(client, JOB.discover, context),
    readDirectoryFunction(client, context),
    sweepFunction(client, JOB.sweep, context),
    probeBatchFunction(client, context, options),
    confirmFunction(client, JOB.confirm, context),
    confirmMissesFunction(client, context),
    scoreFunction(client, JOB.score, context),
    settleFunction(client, JOB.settle, context),
    maintainFunction(client, JOB.maintain, context),
  ];
}

/**
 * What `serve` of any framework is given.
 *
 * Registration has to be signed too: an unsigned one would let anybody tell Inngest, in our name, that the jobs live at
 * the host of their own request.
 */
export function inngestApplication(client: Inngest, context: () => PipelineContext, options: ProbingOptions) {
  return { client, functions: createInngestFunctions(client, context, options), enableUnauthedSync: false };
}
