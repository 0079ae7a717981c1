import { z } from 'zod';
import { points, share, slug, text, time } from './scalars.ts';

/** The parts of a trust report that the formula makes. All of them can be recomputed from the rest of the report. */

const GRADES = ['A', 'B', 'C', 'D', 'F', '?'] as const;
export const RECOMMENDATIONS = ['proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free'] as const;
export const COMPONENTS = ['uptime', 'compliance', 'stability', 'activity', 'age', 'latency'] as const;

export const grade = z.enum(GRADES);

/** A named figure, as component inputs and the evidence of flags have them; moments are ISO 8601. */
const figure = z.union([z.string().max(256), z.number()]).nullable();
const figures = z.record(
  z
    .string()
    .max(64)
    .regex(/^[A-Za-z][A-Za-z0-9]*$/),
  figure,
);

export const scoreRange = z.strictObject({
  low: points.describe('Score with uptime and compliance at their lower 95 % bound and the unmeasured at 0.'),
  point: points.describe('The score itself.'),
  high: points.describe(
    'Score with uptime and compliance at their upper 95 % bound and the unmeasured at 1.',
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
  economic: share.describe('Share of the advertised networks whose chain was read in the last day.'),
});

function ofEachComponent<T extends z.ZodType>(
  schema: T,
): z.ZodObject<Record<(typeof COMPONENTS)[number], T>, z.core.$strict> {
  return z.strictObject({
    uptime: schema,
    compliance: schema,
    stability: schema,
    activity: schema,
    age: schema,
    latency: schema,
  });
}

export const breakdown = ofEachComponent(
  points.nullable().describe('Subscore from 0 to 100 with one decimal; null where it could not be measured.'),
);

export const components = ofEachComponent(
  z
    .strictObject({
      value: share.nullable().describe('0 to 1; null where it could not be measured.'),
      weight: z.number().min(0).describe('Weight among the six, which add up to 100.'),
      points: points.describe('Points of the score before caps that it contributed; 0 where unmeasured.'),
      inputs: figures.describe('The figures it was computed from, by name; null where unmeasured.'),
      explanation: text('sentence').describe('One sentence on what was measured, or why nothing was.'),
    })
    .describe('One component of the score.'),
);

const cap = z.strictObject({
  rule: slug.describe('Name of the rule.'),
  limit: points.describe('The score is no higher than this.'),
  explanation: text('sentence').describe('Why the rule applies.'),
});
export const caps = z.array(cap.describe('A rule that limits the score.')).max(32);

const flag = z.strictObject({
  severity: z.enum(['error', 'warning']).describe('A payer stops at an error and looks twice at a warning.'),
  message: text('sentence').describe('What it tells a payer.'),
  evidence: figures.describe('The figures that raised it, by name. Texts among them are the provider’s.'),
  since: time.nullable().describe('When it began; null where that is not known.'),
});
export const flags = z.record(slug, flag.describe('One issue.'));

export const reasons = z.array(text('sentence').describe('One sentence.')).max(64);

export const projection = z.strictObject({
  at: time.describe('The moment it is for, 30 days after the score.'),
  score: points.describe('The score then.'),
  grade: grade.describe('The grade then.'),
});

/** Terms that change with every probe of a watched endpoint, in every way, make 25,920 in 30 days. */
export const changeEvents = z
  .array(
    z
      .strictObject({
        kind: z.enum(['price_change', 'payto_change', 'asset_network_change']).describe('What changed.'),
        at: time.describe('When the change was seen.'),
      })
      .describe('One change.'),
  )
  .max(30_000);
