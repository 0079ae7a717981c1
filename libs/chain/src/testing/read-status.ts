import { readPaymentStatus, type PaymentStatusQuery } from '../index.ts';
import { serve } from './busy-chain.ts';
import { openTestProviders } from './read-all.ts';

/** A chain, or another object that responds to calls like a node. */
export type Responder = Parameters<typeof serve>[0];

/** Serves each chain as a provider, and reads the state of a payment from all of them. Null does not respond. */
export async function readStatus(query: PaymentStatusQuery, ...chains: (Responder | null)[]) {
  const urls: string[] = [];
  for (const chain of chains)
    urls.push(chain === null ? 'http://127.0.0.1:1/' : ((await serve(chain, null)).opened[0]?.url ?? ''));
  return readPaymentStatus(openTestProviders(urls).providers, query);
}

/** Returns a chain whose results of some methods are edited. Results of null are not edited. */
export function edit(
  { respond }: Responder,
  edits: Readonly<Record<string, (result: never, params: readonly never[]) => unknown>>,
): Responder {
  return {
    respond: (method, params) => {
      const result = respond(method, params);
      const change = edits[method];
      // The casts are safe because a test edits the results of the fake chain, whose types it knows.
      return change === undefined || result === null ? result : change(result as never, params as never[]);
    },
  };
}
