import { readScoringInputs, saveSnapshots, type StoredScoringInput } from '@touchstone/store';
import { publishable, score } from '@touchstone/trust';
import { SNAPSHOT_MAX_AGE_SECONDS, type PipelineContext } from './context.ts';
import { toScoreInputs } from './scoring-inputs.ts';
import { snapshotOf } from './snapshot-of.ts';

const BATCH = 250;

export interface ScoreSummary {
  readonly scored: number;
  readonly changed: number;
}

/** Scores what changed since it was scored, and what is a day old; has the pages made anew that look different. */
export async function scoreChanged(context: PipelineContext): Promise<ScoreSummary> {
  let scored = 0;
  let changed = 0;
  // The time is taken once: what is stored with it is not picked again by the next turn.
  const now = context.now();
  for (;;) {
    const batch = await scoreBatch(context, now);
    scored += batch.scored;
    changed += batch.changed;
    if (!batch.more) return { scored, changed };
  }
}

/** The same for one batch; `more` says that there may be another. A batch scored twice changes nothing. */
export async function scoreBatch(
  context: PipelineContext,
  now: number = context.now(),
): Promise<ScoreSummary & { readonly more: boolean }> {
  const inputs = await readScoringInputs(context.db, {
    now,
    maxAgeSeconds: SNAPSHOT_MAX_AGE_SECONDS,
    limit: BATCH,
  });
  const ids =
    inputs.length === 0
      ? []
      : await saveSnapshots(
          context.db,
          now,
          inputs.map((input) => scoreOne(input, now)),
        );
  await context.onChanged(ids);
  return { scored: inputs.length, changed: ids.length, more: inputs.length === BATCH };
}

function scoreOne(stored: StoredScoringInput, now: number) {
  const inputs = publishable(toScoreInputs(stored, now));
  return snapshotOf(stored, inputs, score(inputs));
}
