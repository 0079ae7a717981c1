import { createEmbedHandler, readSecretKeys } from './handler.ts';

/**
 * Supabase edge function `embed`: embeds texts with the gte-small model of the edge runtime. Callers need a secret key of
 * the project.
 */
interface Session {
  run(
    text: string,
    options: { readonly mean_pool: boolean; readonly normalize: boolean },
  ): Promise<readonly number[]>;
}

/** The used part of the globals of the edge runtime. */
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
