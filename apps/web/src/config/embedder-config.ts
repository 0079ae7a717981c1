import { z } from 'zod';

/** Embedder of the semantic search. `none`: the search and the alternatives to new endpoints are unavailable. */
export type EmbedderConfig =
  | { readonly kind: 'supabase' }
  | { readonly kind: 'none' }
  | { readonly kind: 'process'; readonly url: string; readonly token: string };

const emptyToUndefined = (value: unknown): unknown => (value === '' ? undefined : value);

const isEmbedder = (text: string): boolean =>
  text === 'supabase' || text === 'none' || z.url({ protocol: /^https?$/ }).safeParse(text).success;

const embedderSchema = z
  .string()
  .refine(isEmbedder, {
    error: 'must be supabase, none, or the http or https address of an embedder',
    // An invalid value needs no message about its token.
    abort: true,
  })
  .default('supabase');

/** An HTTP header contains the token. Errors about an invalid header would show its value, so the characters are checked. */
const tokenSchema = z
  .string()
  .regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 characters: letters, digits and punctuation of ASCII')
  .optional();

/** Environment variables of the embedder. `apps/service` sets them if it runs an embedder itself. */
export const embedderEnvironment = {
  EMBEDDER: z.preprocess(emptyToUndefined, embedderSchema),
  EMBEDDER_TOKEN: z.preprocess(emptyToUndefined, tokenSchema).meta({
    description:
      'token that the site sends to the embedder process at the URL `EMBEDDER`, at least 16 characters. The service creates its own',
  }),
};

type EmbedderVariables = z.output<z.ZodObject<typeof embedderEnvironment>>;

/** Checks that the address of an embedder has a token. */
export function checkEmbedderVariables(
  { EMBEDDER: embedder, EMBEDDER_TOKEN: token }: EmbedderVariables,
  context: z.RefinementCtx,
): void {
  if (embedder === 'supabase' || embedder === 'none' || token !== undefined) return;
  context.addIssue({
    code: 'custom',
    path: ['EMBEDDER_TOKEN'],
    message: 'must be set if EMBEDDER is an address',
  });
}

/** Converts environment variables to the settings of the embedder. */
export function toEmbedderConfig({
  EMBEDDER: embedder,
  EMBEDDER_TOKEN: token,
}: EmbedderVariables): EmbedderConfig {
  if (embedder === 'supabase' || embedder === 'none') return { kind: embedder };
  // `checkEmbedderVariables` refuses an address without a token.
  return { kind: 'process', url: embedder, token: token ?? '' };
}
