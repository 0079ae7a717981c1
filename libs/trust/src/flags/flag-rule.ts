import type { Flag, FlagSeverity, ScoreInputs } from '../types.ts';

/** What a flag may look at: the inputs, and the confidence that was computed from them. */
export interface FlagFacts {
  readonly inputs: ScoreInputs;
  /** 0..1, as published. */
  readonly confidence: number;
}

/** What was seen when a flag is raised. */
export interface Sighting {
  readonly evidence: Flag['evidence'];
  /** Milliseconds since the epoch when it began, where that is known. */
  readonly since?: number | null;
}

/** A flag as it is published: a row for people to read, and the object that raises it. */
export interface FlagRow {
  readonly slug: string;
  readonly severity: FlagSeverity;
  /** True for a warning that keeps an endpoint from `proceed`; an error does more than that. */
  readonly barsProceed?: true;
  /** True where it says nothing of a template, whose price and payTo may vary from item to item. */
  readonly notForTemplates?: true;
  /** When it is raised. */
  readonly trigger: string;
  /** What it tells a payer. */
  readonly message: string;
  /** What the provider can do about it. */
  readonly fix: string;
}

export interface FlagRule extends FlagRow {
  /** Null when there is nothing to raise. */
  readonly detect: (facts: FlagFacts) => Sighting | null;
}
