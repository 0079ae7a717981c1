import { createRegistryEntry } from '@touchstone/contract';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readInstalledPackage } from './installed-package.ts';

/**
 * Writes `server.json`, with which an operator publishes a service in the MCP registry. Without a service, an earlier
 * file is removed, because its `mcpName` would not match the package.
 *
 * @param cli folder of the packed command line
 * @returns path of the file; null without a service
 */
export function writeRegistryEntry(outDir: string, cli: string, service: string | undefined): string | null {
  const file = join(outDir, 'server.json');
  if (service === undefined) {
    rmSync(file, { force: true });
    return null;
  }
  const entry = createRegistryEntry(service, readInstalledPackage(cli).version);
  writeFileSync(file, `${JSON.stringify(entry, null, 2)}\n`);
  return file;
}

/** @throws Error if a text is not the HTTPS origin of a host with a domain name, which the name of a server needs */
export function assertPublicOrigin(service: string): void {
  const url = URL.parse(service);
  const isOrigin = url?.protocol === 'https:' && url.href === `${url.origin}/`;
  if (isOrigin && /\.[a-z][a-z0-9-]*$/.test(url.hostname)) return;
  throw new Error(
    `--service must be the origin of a public service, such as https://touchstone.example; received ${service}.`,
  );
}
