/** Platforms on which a package can be installed, in the format of package.json. A missing field means every value. */
export interface Platform {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const systems: Readonly<Record<string, string>> = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  openharmony: 'openharmony',
  win32: 'win32',
  windows: 'win32',
};
const processors = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
const libraries: Readonly<Record<string, string>> = { gnu: 'glibc', musl: 'musl' };

/**
 * Returns the platform that the name of a package contains, such as `@next/swc-linux-x64-gnu`.
 *
 * @returns Platform of the package; null when its name contains none.
 */
export function parsePlatform(name: string): Platform | null {
  const parts = name.slice(name.indexOf('/') + 1).split(/[-_]/);
  const os = parts.flatMap((part) => systems[part] ?? []);
  const cpu = parts.filter((part) => processors.includes(part));
  const libc = parts.flatMap((part) => libraries[part] ?? []);
  if (os.length === 0 && cpu.length === 0) return null;
  return {
    ...(os.length > 0 ? { os } : {}),
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(libc.length > 0 ? { libc } : {}),
  };
}
