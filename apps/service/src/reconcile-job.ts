import { reconcilePayments } from '@touchstone/payment';
import type { Job, PipelineContext } from '@touchstone/pipeline';

const KINDS = ['settled', 'failed', 'audited', 'disputed', 'open'] as const;

/** Compares payments with every chain that is read: those never heard of again, and those said to be settled. */
export const RECONCILE = {
  id: 'reconcile',
  title: 'Look after payments',
  cron: '*/2 * * * *',
  run: async ({ db, chains = [], now }: Pick<PipelineContext, 'db' | 'chains' | 'now'>) => {
    const sum = { settled: 0, failed: 0, audited: 0, disputed: 0, open: 0 };
    const troubles: string[] = [];
    const onTrouble = (message: string) => void troubles.push(message);
    for (const { providers } of chains) {
      const counts = await reconcilePayments({ db, chain: providers, now, onTrouble });
      for (const kind of KINDS) sum[kind] += counts[kind];
    }
    // What a job returns is what its operator reads in the log.
    return troubles.length === 0 ? sum : { ...sum, troubles };
  },
} as const satisfies Job;
