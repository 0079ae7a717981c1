/**
 * Error of a database call: the database refused the call or could not be reached. `code` is the error code of
 * PostgreSQL or PostgREST; undefined without such a code.
 */
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
