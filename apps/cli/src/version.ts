import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Version of the command line, as in its package.json. */
export const VERSION: string = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))).version;
