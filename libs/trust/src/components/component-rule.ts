import type { Curve } from './curve.ts';
import type { Component, ComponentScore, ScoreInputs } from '../types.ts';

/** What is said of one figure that a component is computed from. */
interface FigureRow {
  readonly unit: string;
  /** What the figure is, as a sentence. */
  readonly is: string;
}

/** A component as it is published: a row for people to read, and the object that the score is computed with. */
export interface ComponentRow {
  readonly component: Component;
  /** Of 100. */
  readonly weight: number;
  /** What it measures, as a sentence. */
  readonly measures: string;
  /** How its value of 0 to 1 comes from its figures, as a sentence. */
  readonly formula: string;
  /** The figures it is computed from, by the name they have in `ComponentScore.inputs`. */
  readonly figures: Readonly<Record<string, FigureRow>>;
  /** The curves that turn a figure into a value, by the name of the figure. */
  readonly curves: Readonly<Record<string, Curve>>;
  /** When it is not measured, as a sentence. */
  readonly unmeasured: string;
}

/** A component as measured: its value with nine decimals, and the sentence on it. */
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
  /** The figures, null where they were not measured. */
  readonly read: (inputs: ScoreInputs) => F;
  /** 0..1 from the figures alone, so that what is published is enough to compute it again; null when unmeasured. */
  readonly valueOf: (figures: F) => number | null;
  /** One sentence on what was measured; only asked when something was. */
  readonly explain: (figures: F, inputs: ScoreInputs) => string;
}

/** Makes a row of the table of components, with its figures documented one by one. */
export function componentRule<F extends ComponentScore['inputs']>({
  read,
  valueOf,
  explain,
  ...row
}: ComponentDefinition<F>): ComponentRule {
  return {
    ...row,
    measure: (inputs) => {
      const figures = read(inputs);
      const value = settle(valueOf(figures));
      return {
        inputs: figures,
        value,
        explain: () => (value === null ? row.unmeasured : explain(figures, inputs)),
      };
    },
  };
}

/** Nine decimals of a value are kept, so that what is published is what was computed with, on every machine. */
function settle(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(9));
}
