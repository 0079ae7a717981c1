/** The database refused a call or could not be reached. `code` is Postgres' or PostgREST's, where there is one. */
export class StoreError extends Error {
  readonly attempted: string;
  readonly code: string | undefined;

  constructor(attempted: string, cause: { readonly message: string; readonly code?: string }) {
    super(`Could not ${attempted}: ${cause.message}`);
    this.name = 'StoreError';
    this.attempted = attempted;
    this.code = cause.code;
  }
}
