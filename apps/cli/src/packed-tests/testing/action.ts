import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';

const ACTION = fileURLToPath(new URL('../../../action.yml', import.meta.url));

const actionSchema = z.object({
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string().optional() })),
  runs: z.object({
    using: z.literal('composite'),
    steps: z.array(
      z.object({
        name: z.string(),
        uses: z.string().optional(),
        env: z.record(z.string(), z.string()).optional(),
        run: z.string().optional(),
      }),
    ),
  }),
});

/** Reads the GitHub Action of the command line. */
export function readAction(): z.infer<typeof actionSchema> {
  return actionSchema.parse(parse(readFileSync(ACTION, 'utf8')));
}
