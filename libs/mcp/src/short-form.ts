import type { Members } from './tool-schemas.ts';

/** Body of a result in a form that needs less context of a model. */
export interface ShortForm {
  /** Body in which a member with a published schema keeps its schema. A shortened member has another name. */
  readonly body: Members;
  /** Sentences that say how the short form differs from the body. */
  readonly notes: readonly string[];
  /** Pattern of the paths of the lists whose newest element is the last. They keep their end when they are cut. */
  readonly newestLast?: RegExp;
  /** Adapts the body after its lists were cut. */
  readonly finish?: (cut: Members) => Members;
}

type Value = string | number | boolean | null | undefined;

/** Creates one line of CSV. No value may contain a comma. */
export const toLine = (values: readonly Value[]): string =>
  values.map((value) => String(value ?? '')).join(',');
