import type { PgliteConnection } from '@supabase/lite/pglite';

/** Context of a request, of which `@supabase/lite` sets parts as settings of the transaction. */
interface RequestContext {
  readonly auth?: { readonly role?: string; readonly uid?: string | null; readonly jwt?: unknown };
  readonly storage?: { readonly operation?: string };
}

/** Call of a function through `/rest/v1/rpc`. */
interface FunctionCall {
  readonly method: string;
  readonly path: string;
  readonly requestHeaders?: Readonly<Record<string, string>>;
}

/**
 * Makes a connection set the settings of a request with two queries. `@supabase/lite` has a query for each of the ten
 * settings, and these queries took half of the CPU time of a small request. The values are the same.
 *
 * The replaced methods are private, so an update of `@supabase/lite` can rename them. A test counts the queries.
 */
export function combineRequestSettings(connection: PgliteConnection): void {
  const set = async (settings: Readonly<Record<string, string>>): Promise<void> => {
    const calls = Object.keys(settings).map((name, index) => `set_config('${name}', $${index + 1}, true)`);
    await connection.driver.query(`select ${calls.join(', ')}`, Object.values(settings));
  };
  Object.assign(connection, {
    applyJwtSessionContext: (_transaction: unknown, { auth, storage }: RequestContext): Promise<void> => {
      const { role = 'anon', uid, jwt } = auth ?? {};
      return set({
        'request.jwt.claim.sub': uid ?? '',
        'request.jwt.claim.role': role,
        'storage.operation': storage?.operation ?? '',
        ...(typeof jwt === 'object' && jwt !== null ? { 'request.jwt.claims': JSON.stringify(jwt) } : {}),
        role,
      });
    },
    applyRpcRequestGucs: (_transaction: unknown, call: FunctionCall): Promise<void> =>
      set({
        'response.status': '',
        'response.headers': '',
        'request.method': call.method,
        'request.path': call.path,
        'request.headers': JSON.stringify(call.requestHeaders ?? {}),
      }),
  });
}
