import type { Component } from '@touchstone/contract';
import type { ComponentScore, ScoreInputs } from '../types.ts';
import type { Curve } from './curves.ts';

/** Documentation of one figure in the computation of a component, such as the 95th percentile of the latency. */
interface FigureRow {
  readonly unit: string;
  /** Meaning of the figure, as a sentence. */
  readonly is: string;
}

/** Scoring rule of a component, with its published description. */
export interface ComponentRule {
  readonly component: Component;
  /** Weight of the component; the weights of all components add up to 100. */
  readonly weight: number;
  /** Sentence that describes the measured property. */
  readonly measures: string;
  /** Sentence that explains how the component value, 0 to 1, is computed from the figures. */
  readonly formula: string;
  /** Documentation of each figure, by its name in `ComponentScore.inputs`. */
  readonly figures: Readonly<Record<string, FigureRow>>;
  /** Curves that convert a figure to a value from 0 to 1, by the name of the figure. */
  readonly curves: Readonly<Record<string, Curve>>;
  /** Sentence that states when the component is not measured. */
  readonly unmeasured: string;
  /** Measures the component: its figures, its value with nine decimals, and its explanation. */
  readonly measure: (inputs: ScoreInputs) => Pick<ComponentScore, 'inputs' | 'value' | 'explanation'>;
}

interface ComponentDefinition<F extends ComponentScore['inputs']> extends Omit<ComponentRule, 'measure'> {
  readonly figures: Readonly<Record<keyof F & string, FigureRow>>;
  /** Reads the figures of the component from the score inputs. Figures that were not measured are null. */
  readonly read: (inputs: ScoreInputs) => F;
  /**
   * Computes the component value, 0 to 1, from the published figures only, so that readers of a report can recompute
   * it. Returns null if the component is unmeasured.
   */
  readonly computeValue: (figures: F) => number | null;
  /** Explains the measured component value in one sentence. */
  readonly explain: (figures: F, inputs: ScoreInputs) => string;
  /** Explains in one sentence why the component has no value. By default, the sentence in `unmeasured` is used. */
  readonly explainUnmeasured?: (inputs: ScoreInputs) => string;
}

/**
 * Creates the scoring rule of a component from its definition. The rule reads the figures from the score inputs,
 * computes the value from the figures, and explains the value. `F` is the type of the figures: the type makes the
 * documentation of every figure mandatory.
 */
export function defineComponent<F extends ComponentScore['inputs']>({
  read,
  computeValue,
  explain,
  explainUnmeasured,
  ...row
}: ComponentDefinition<F>): ComponentRule {
  return {
    ...row,
    measure: (inputs) => {
      const figures = read(inputs);
      const value = roundToNineDecimals(computeValue(figures));
      const explanation =
        value === null ? (explainUnmeasured?.(inputs) ?? row.unmeasured) : explain(figures, inputs);
      return { inputs: figures, value, explanation };
    },
  };
}

/**
 * Rounds a component value to nine decimals, as published. The score is computed from the rounded values, so readers of
 * a report can recompute the score.
 */
function roundToNineDecimals(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(9));
}
