import type { PipelineContext } from './context.ts';
import { confirmMisses, LOOK_EVERY_SECONDS } from './confirm-misses.ts';
import { discover } from './discover.ts';
import { maintain } from './maintain.ts';
import { probeDue } from './probe-batch.ts';
import { scoreChanged } from './score-changed.ts';
import { settle } from './settle.ts';

export interface Job {
  readonly id: string;
  readonly title: string;
  /** Standard cron expression, UTC. */
  readonly cron: string;
  /**
   * For what cannot wait for the next minute: how often a scheduler in process runs it. Runs of such a job may overlap.
   */
  readonly everySeconds?: number;
  readonly run: (context: PipelineContext) => Promise<object>;
}

/** Every job of the service, for whichever scheduler drives it: the one in process or Inngest. */
export const JOB = {
  discover: { id: 'discover', title: 'Read the directories', cron: '7 * * * *', run: discover },
  sweep: { id: 'sweep', title: 'Probe what is due', cron: '* * * * *', run: (context) => probeDue(context) },
  confirm: {
    id: 'confirm',
    title: 'Look again at what was missed',
    cron: '* * * * *',
    everySeconds: LOOK_EVERY_SECONDS,
    run: confirmMisses,
  },
  score: { id: 'score', title: 'Score what changed', cron: '* * * * *', run: scoreChanged },
  settle: { id: 'settle', title: 'Read what was paid', cron: '*/5 * * * *', run: settle },
  maintain: { id: 'maintain', title: 'Keep the partitions', cron: '41 3 * * *', run: maintain },
} as const satisfies Record<string, Job>;

/** The same as a list, for a scheduler that runs them all. */
export const JOBS: readonly Job[] = Object.values(JOB);
