/** A call that the database refused, or a database that could not be reached. `code` is that of Postgres or PostgREST, if any. */
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
