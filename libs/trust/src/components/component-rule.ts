import type { Component } from '@touchstone/contract';
import type { ComponentScore, ScoreInputs } from '../types.ts';
import type { Curve } from './curves.ts';

/** Weight of each component; the sum is 100. */
export const WEIGHTS: Readonly<Record<Component, number>> = {
  uptime: 30,
  compliance: 25,
  stability: 15,
  activity: 15,
  age: 10,
  latency: 5,
};

/** Documentation of one figure that a component is computed from. */
interface FigureRow {
  readonly unit: string;
  /** Meaning of the figure, as a sentence. */
  readonly is: string;
}

/** Published description of a component. The score is computed with the same object. */
export interface ComponentRow {
  readonly component: Component;
  /** Weight of 100. */
  readonly weight: number;
  /** Measured property, as a sentence. */
  readonly measures: string;
  /** Computation of the value, 0..1, from the figures, as a sentence. */
  readonly formula: string;
  /** Figures that the value is computed from, by their name in `ComponentScore.inputs`. */
  readonly figures: Readonly<Record<string, FigureRow>>;
  /** Curves that turn a figure into a value, by the name of the figure. */
  readonly curves: Readonly<Record<string, Curve>>;
  /** Condition under which the component is not measured, as a sentence. */
  readonly unmeasured: string;
}

/** Measurement of a component: its value with nine decimals, and its explanation. */
export interface Measured {
  readonly inputs: ComponentScore['inputs'];
  readonly value: number | null;
  readonly explain: () => string;
}

export interface ComponentRule extends ComponentRow {
  readonly measure: (inputs: ScoreInputs) => Measured;
}

interface ComponentDefinition<F extends ComponentScore['inputs']> extends ComponentRow {
  readonly figures: Readonly<Record<keyof F & string, FigureRow>>;
  /** Reads the figures from the inputs; a figure that was not measured is null. */
  readonly read: (inputs: ScoreInputs) => F;
  /** Computes the value, 0..1, from the published figures alone, so that readers can recompute it; null if unmeasured. */
  readonly computeValue: (figures: F) => number | null;
  /** Explains a measured value in one sentence. */
  readonly explain: (figures: F, inputs: ScoreInputs) => string;
  /** Explains in one sentence why there is no value; `unmeasured` if absent. */
  readonly explainUnmeasured?: (inputs: ScoreInputs) => string;
}

/** Creates the rule of a component. The type parameter requires documentation for each of its figures. */
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
      return {
        inputs: figures,
        value,
        explain: () =>
          value === null ? (explainUnmeasured?.(inputs) ?? row.unmeasured) : explain(figures, inputs),
      };
    },
  };
}

/** Rounds a value to the nine decimals that are published, so that every machine computes with the published value. */
function roundToNineDecimals(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(9));
}
