import type { Inngest } from 'inngest';
import type { PipelineContext } from './context.ts';
import { cronOptions } from './inngest-options.ts';
import type { Job } from './jobs.ts';
import { settleInTurns, settleTurn, type Turn } from './settle.ts';

/**
 * Every five minutes, a step for each turn of each network. One that cannot be read is left to the next time, so that it
 * keeps no other one waiting; what fails otherwise is tried again.
 */
export function settleFunction(client: Inngest, job: Job, context: () => PipelineContext) {
  return client.createFunction(
    { ...cronOptions(job), retries: 3, timeouts: { start: '5m', finish: '1h' } },
    ({ step }) =>
      settleInTurns(context().chains ?? [], ({ providers: { network } }, turn) =>
        step.run(`settle ${network} ${turn}`, () => settleNamed(context(), network)),
      ),
  );
}

function settleNamed(context: PipelineContext, network: string): Promise<Turn> {
  const chain = context.chains?.find(({ providers }) => providers.network === network);
  if (chain === undefined) throw new Error(`${network} is configured no more`);
  return settleTurn(context, chain);
}
