import type { PipelineContext } from './context.ts';
import { discover } from './discover.ts';
import { maintain } from './maintain.ts';
import { scoreChanged } from './score-changed.ts';
import { sweep } from './sweep.ts';

export interface Job {
  readonly id: string;
  readonly title: string;
  /** Standard cron expression, UTC. */
  readonly cron: string;
  readonly run: (context: PipelineContext) => Promise<object>;
}

/** Every job of the service, for whichever scheduler drives it: the one in process or Inngest. */
export const JOBS: readonly Job[] = [
  { id: 'discover', title: 'Read the directories', cron: '7 * * * *', run: discover },
  { id: 'sweep', title: 'Probe what is due', cron: '* * * * *', run: (context) => sweep(context) },
  { id: 'score', title: 'Score what changed', cron: '* * * * *', run: scoreChanged },
  { id: 'maintain', title: 'Keep the partitions', cron: '41 3 * * *', run: maintain },
];
