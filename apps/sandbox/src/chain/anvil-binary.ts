import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Processor names in npm's anvil packages, by Node's name. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Operating system and processor, as `process.platform` and `process.arch`. */
export interface Platform {
  readonly platform: string;
  readonly arch: string;
}

/**
 * Finds the executable of anvil, the local chain. npm installs it as one package per platform.
 * @returns its path, or null on a platform without a package
 */
export const findAnvilBinary = ({ platform, arch }: Platform = process): string | null => {
  const name = `@foundry-rs/anvil-${platform}-${ARCHITECTURES[arch] ?? arch}`;
  try {
    // npm installs the platform's package beside @foundry-rs/anvil, which depends on it.
    const resolver = createRequire(import.meta.resolve('@foundry-rs/anvil/package.json'));
    const folder = dirname(resolver.resolve(`${name}/package.json`));
    const file = join(folder, 'bin', platform === 'win32' ? 'anvil.exe' : 'anvil');
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
};
