import type { Inngest } from 'inngest';
import type { PipelineContext } from './context.ts';
import { cronOptions } from './inngest-options.ts';
import type { Job } from './jobs.ts';
import { addSettled, MAX_TURNS, settleNetwork, type NetworkSettled } from './settle.ts';

/**
 * Every five minutes, a step for each turn of each network. A network that cannot be read fails its own step and is
 * tried again; what was read of the others is stored.
 */
export function settleFunction(client: Inngest, job: Job, context: () => PipelineContext) {
  return client.createFunction(
    { ...cronOptions(job), retries: 3, timeouts: { start: '5m', finish: '1h' } },
    async ({ step }) => {
      const readings = (context().chains ?? []).map(async ({ providers: { network } }) => {
        let total: NetworkSettled | null = null;
        for (let turn = 1; turn <= MAX_TURNS && total?.caughtUp !== true; turn += 1) {
          const next: NetworkSettled = await step.run(`settle ${network} ${turn}`, () =>
            settleNamed(context(), network),
          );
          total = total === null ? next : addSettled(total, next);
        }
        return total;
      });
      const ends = await Promise.allSettled(readings);
      return ends.map((end) => (end.status === 'fulfilled' ? end.value : { unreadable: String(end.reason) }));
    },
  );
}

function settleNamed(context: PipelineContext, network: string): Promise<NetworkSettled> {
  const chain = context.chains?.find(({ providers }) => providers.network === network);
  if (chain === undefined) throw new Error(`${network} is configured no more`);
  return settleNetwork(context, chain);
}
