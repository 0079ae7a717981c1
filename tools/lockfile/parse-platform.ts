/** Platform conditions of a package, as in its package.json. A missing key means no condition. */
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
 * Parses the platform in the name of a platform package, such as `@next/swc-linux-x64-gnu`.
 *
 * @returns Null when the name contains no platform.
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
