/** Words for the next step of a user, which differ between the command line and the page. */
export interface Advice {
  /** Clause that says how to check a response that only the user can get, such as `and lint it with --file`. */
  readonly checkSaved: string;
  /** Clause that says how to choose a method, such as `--method PUT`. */
  readonly chooseMethod: (method: string) => string;
  /** Sentence for a certificate of an authority that is not trusted; null where the user cannot change that. */
  readonly trustAuthority: string | null;
}
