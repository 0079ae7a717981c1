import { reconcilePayments } from '@touchstone/payment';
import type { Job, PipelineContext } from '@touchstone/pipeline';

/** Looks after payments whose settlement was begun and never heard of again, on every chain that is read. */
export const RECONCILE = {
  id: 'reconcile',
  title: 'Look after payments',
  cron: '*/2 * * * *',
  run: async ({ db, chains = [], now }: Pick<PipelineContext, 'db' | 'chains' | 'now'>) => {
    const sum = { settled: 0, failed: 0, open: 0 };
    for (const { providers } of chains) {
      const counts = await reconcilePayments({ db, chain: providers, now });
      for (const kind of ['settled', 'failed', 'open'] as const) sum[kind] += counts[kind];
    }
    return sum;
  },
} as const satisfies Job;
