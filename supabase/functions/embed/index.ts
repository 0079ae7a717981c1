import { createEmbedHandler, readSecretKeys } from './handler.ts';

/**
 * Session of the edge runtime that runs a model. The Supabase edge function `embed` uses it to embed texts with the
 * model gte-small. Callers need a secret key of the project.
 */
interface Session {
  run(
    text: string,
    options: { readonly mean_pool: boolean; readonly normalize: boolean },
  ): Promise<readonly number[]>;
}

/** Members of the global object `Deno` that this function uses. */
declare const Deno: {
  readonly env: { get(name: string): string | undefined };
  serve(handler: (request: Request) => Promise<Response>): unknown;
};
declare const Supabase: { readonly ai: { readonly Session: new (model: string) => Session } };

const session = new Supabase.ai.Session('gte-small');

Deno.serve(
  createEmbedHandler({
    embed: (text) => session.run(text, { mean_pool: true, normalize: true }),
    keys: readSecretKeys((name) => Deno.env.get(name)),
  }),
);
