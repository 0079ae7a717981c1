import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Map from Node's processor names (`process.arch`) to the names in npm's anvil packages. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Operating system and processor, with the names of `process.platform` and `process.arch`. */
export interface Platform {
  readonly platform: string;
  readonly arch: string;
}

/**
 * Finds the executable of anvil, the program that runs the local chain. npm has one anvil package for each platform.
 * @returns path of the executable, or null when npm has no anvil for this platform
 */
export function findAnvilBinary({ platform, arch }: Platform = process): string | null {
  const name = `@foundry-rs/anvil-${platform}-${ARCHITECTURES[arch] ?? arch}`;
  try {
    // The platform's package is a dependency of @foundry-rs/anvil, so it is resolved from there.
    const resolver = createRequire(import.meta.resolve('@foundry-rs/anvil/package.json'));
    const folder = dirname(resolver.resolve(`${name}/package.json`));
    const file = join(folder, 'bin', platform === 'win32' ? 'anvil.exe' : 'anvil');
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
}
