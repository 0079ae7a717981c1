import type { FlagSeverity } from '@touchstone/contract';
import type { Flag, ScoreInputs } from '../types.ts';

/** Inputs of a flag rule: the score inputs and the confidence computed from them. */
export interface FlagInputs {
  readonly inputs: ScoreInputs;
  /** Confidence from 0 to 1, rounded as published. */
  readonly confidence: number;
}

/** Evidence for a raised flag. */
export interface FlagDetection {
  readonly evidence: Flag['evidence'];
  /** Time at which the condition of the flag began, in milliseconds since the epoch; null or absent if unknown. */
  readonly since?: number | null;
  /** Sentence with the causes and dates of this case; absent if the message of the flag already says all. */
  readonly reason?: string;
  /** Replaces `preventsProceed` of the rule if this exclusion depends on the case. */
  readonly preventsProceed?: boolean;
}

/** Detection rule of a flag, with its published description. */
export interface FlagRule {
  readonly slug: string;
  readonly severity: FlagSeverity;
  /**
   * True for a warning that always excludes the recommendation `proceed`. Flags of severity error always exclude
   * `proceed`.
   */
  readonly preventsProceed?: true;
  /** True if the flag is never raised for URL templates, because their price and payTo may vary from item to item. */
  readonly notForTemplates?: true;
  /** Caps, components and flags that the reason of this flag explains, so that no other reason repeats them. */
  readonly explains?: readonly string[];
  /** Sentence that states when the flag is raised. */
  readonly trigger: string;
  /** Sentence for the payer: the problem that was found. */
  readonly message: string;
  /** Sentence for the provider: how to make the flag disappear. */
  readonly fix: string;
  /** Returns the evidence for the flag, or null if the flag is not raised. */
  readonly detect: (facts: FlagInputs) => FlagDetection | null;
}

/** Flag rule without its severity. All flags of a list have the same severity. */
export type FlagDefinition = Omit<FlagRule, 'severity'>;
