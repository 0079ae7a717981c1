import type { Inngest } from 'inngest';
import type { PipelineContext } from './context.ts';
import { cronOptions } from './inngest-options.ts';
import type { Job } from './jobs.ts';
import { addSettled, MAX_TURNS, settleTurn, type NetworkSettled, type Unreadable } from './settle.ts';

/**
 * Every five minutes, a step for each turn of each network. One that cannot be read is left to the next time, so that it
 * keeps no other one waiting; what fails otherwise is tried again.
 */
export function settleFunction(client: Inngest, job: Job, context: () => PipelineContext) {
  return client.createFunction(
    { ...cronOptions(job), retries: 3, timeouts: { start: '5m', finish: '1h' } },
    async ({ step }) => {
      const ends: (NetworkSettled | Unreadable)[] = [];
      for (const { providers } of context().chains ?? []) {
        const { network } = providers;
        let total: NetworkSettled | null = null;
        for (let turn = 1; turn <= MAX_TURNS; turn += 1) {
          const next = await step.run(`settle ${network} ${turn}`, () => settleNamed(context(), network));
          if ('unreadable' in next) {
            ends.push(next);
            break;
          }
          total = total === null ? next : addSettled(total, next);
          if (next.caughtUp) break;
        }
        if (total !== null) ends.push(total);
      }
      return ends;
    },
  );
}

function settleNamed(context: PipelineContext, network: string): Promise<NetworkSettled | Unreadable> {
  const chain = context.chains?.find(({ providers }) => providers.network === network);
  if (chain === undefined) throw new Error(`${network} is configured no more`);
  return settleTurn(context, chain);
}
