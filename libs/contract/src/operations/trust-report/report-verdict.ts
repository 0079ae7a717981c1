import { z } from 'zod';
import { grade, points, share, slug, text, time } from '../../shared/scalars.ts';
import { CHANGE_KINDS, FLAG_SEVERITIES, type Component } from '../../shared/values.ts';

/** Schemas of the computed parts of a trust report. Readers can recompute all of them from the rest of the report. */

/** One named value that explains a score component or a flag. Times are ISO 8601. */
const figure = z.union([z.string().max(256), z.number()]).nullable();
const figures = z.record(
  z
    .string()
    .max(64)
    .regex(/^[A-Za-z][A-Za-z0-9]*$/),
  figure,
);

export const scoreRange = z.strictObject({
  low: points.describe(
    'Score with uptime and compliance at their lower 95 % bound, and unmeasured components at 0.',
  ),
  point: points.describe('Score.'),
  high: points.describe(
    'Score with uptime and compliance at their upper 95 % bound, and unmeasured components at 1.',
  ),
});

const threshold = points.describe('Lowest score of this grade.');
export const gradeThresholds = z.strictObject({
  A: threshold,
  B: threshold,
  C: threshold,
  D: threshold,
  F: threshold,
});

export const confidenceDetail = z.strictObject({
  overall: share.describe('observation × (0.8 + 0.2 · economic), two decimals.'),
  observation: share.describe('1 − e^(−scored probes / 240), two decimals.'),
  economic: share
    .nullable()
    .describe(
      'Share of the advertised networks whose chain was read in the last day; null when none is advertised, which counts as 0.',
    ),
});

function createComponentObject<T extends z.ZodType>(
  schema: T,
): z.ZodObject<Record<Component, T>, z.core.$strict> {
  return z.strictObject({
    uptime: schema,
    compliance: schema,
    stability: schema,
    activity: schema,
    age: schema,
    latency: schema,
  });
}

export const breakdown = createComponentObject(
  points.nullable().describe('Subscore from 0 to 100, one decimal; null when not measured.'),
);

export const components = createComponentObject(
  z
    .strictObject({
      value: share.nullable().describe('Value from 0 to 1; null when not measured.'),
      weight: z.number().min(0).describe('Weight of the component; the six weights add up to 100.'),
      points: points.describe(
        'Points that the component adds to the score before caps; 0 when not measured.',
      ),
      inputs: figures.describe('Figures of the computation by name; null when not measured.'),
      explanation: text('sentence').describe('Sentence on the measurement, or on why there is none.'),
    })
    .describe('One component of the score.'),
);

const cap = z.strictObject({
  rule: slug.describe('Name of the rule.'),
  limit: points.describe('Maximum score.'),
  explanation: text('sentence').describe('Reason why the rule applies.'),
});
export const caps = z.array(cap.describe('A rule that limits the score.')).max(32);

const flag = z.strictObject({
  severity: z.enum(FLAG_SEVERITIES).describe('error: do not pay; warning: check before you pay.'),
  message: text('sentence').describe('Sentence for payers.'),
  evidence: figures.describe(
    'Figures that raised the flag, by name. Strings are unverified text of the provider.',
  ),
  since: time.nullable().describe('Start of the issue; null when unknown.'),
});
export const flags = z.record(slug, flag.describe('One issue.'));

export const reasons = z.array(text('sentence').describe('One sentence.')).max(64);

export const projection = z.strictObject({
  at: time.describe('Time of the projection, 30 days after the score.'),
  score: points.describe('Projected score.'),
  grade: grade.describe('Projected grade.'),
});

const changeValue = text('address')
  .nullable()
  .describe(
    'Price, address, or network and asset. Present only for the latest change of each kind, else null. Unverified text.',
  );

/**
 * An endpoint under watch is probed every five minutes. If three kinds of terms change at every probe, there are 25,920
 * changes in 30 days, and the list has room for all of them.
 */
export const changeEvents = z
  .array(
    z
      .strictObject({
        kind: z.enum(CHANGE_KINDS).describe('Kind of the change.'),
        at: time.describe('Time when the change was seen.'),
        before: changeValue,
        after: changeValue,
      })
      .describe('One change.'),
  )
  .max(30_000);
