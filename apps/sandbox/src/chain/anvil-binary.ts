import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What npm's packages call the processors that Node names otherwise. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The machine to look for; by default this one. */
export interface Platform {
  readonly platform: string;
  readonly arch: string;
}

/**
 * The file of the local chain's program, anvil, which npm brings as one package for each platform.
 * @returns null on a platform without one
 */
export const anvilBinary = ({ platform, arch }: Platform = process): string | null => {
  const name = `@foundry-rs/anvil-${platform}-${ARCHITECTURES[arch] ?? arch}`;
  try {
    // The platform's package is beside the package that depends on it, wherever npm has put that.
    const beside = createRequire(import.meta.resolve('@foundry-rs/anvil/package.json'));
    const folder = dirname(beside.resolve(`${name}/package.json`));
    const file = join(folder, 'bin', platform === 'win32' ? 'anvil.exe' : 'anvil');
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
};
