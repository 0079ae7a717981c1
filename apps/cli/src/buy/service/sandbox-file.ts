import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { SANDBOX_FILE } from '../../network/open-sandbox.ts';
import { DEFAULT_NETWORK } from '../buy-options.ts';

/** Members of the sandbox file (`sandbox.json`) that a client of the service needs. */
const sandboxFileSchema = z.object({
  serviceUrl: z.url(),
  demoWalletKeyFile: z.string(),
  /** CAIP-2 id of the network on which the service sells. Earlier versions wrote no network, and sold on Base. */
  network: z.string().default(DEFAULT_NETWORK),
});
export type SandboxFile = z.infer<typeof sandboxFileSchema>;

/** Reads the file in which a running service describes its sandbox; null when the file is missing or unreadable. */
export function readSandboxFile(dataDir: string): SandboxFile | null {
  try {
    return sandboxFileSchema.parse(JSON.parse(readFileSync(join(resolve(dataDir), SANDBOX_FILE), 'utf8')));
  } catch {
    return null;
  }
}
