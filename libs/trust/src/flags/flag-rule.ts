import type { FlagSeverity } from '@touchstone/contract';
import type { Flag, ScoreInputs } from '../types.ts';

/** Inputs of a flag rule: the score inputs and the confidence computed from them. */
export interface FlagInputs {
  readonly inputs: ScoreInputs;
  /** 0..1, as published. */
  readonly confidence: number;
}

/** Evidence of a raised flag. */
export interface FlagDetection {
  readonly evidence: Flag['evidence'];
  /** Start of the condition, in milliseconds since the epoch; null or absent if unknown. */
  readonly since?: number | null;
}

/** Published description of a flag. The flag is raised by the same object. */
export interface FlagRow {
  readonly slug: string;
  readonly severity: FlagSeverity;
  /** True for a warning that excludes the recommendation `proceed`. An error always excludes it. */
  readonly preventsProceed?: true;
  /** True if the flag is never raised for templates, whose price and payTo may vary from item to item. */
  readonly notForTemplates?: true;
  /** Condition under which the flag is raised, as a sentence. */
  readonly trigger: string;
  /** Finding for the payer. */
  readonly message: string;
  /** Advice for the provider. */
  readonly fix: string;
}

export interface FlagRule extends FlagRow {
  /** Returns the evidence if the flag is raised, or null. */
  readonly detect: (facts: FlagInputs) => FlagDetection | null;
}
