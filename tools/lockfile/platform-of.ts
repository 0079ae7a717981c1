/** What a package runs on, as its package.json would say; a missing key is no condition. */
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
 * Reads the platform from the name of a platform package, such as `@next/swc-linux-x64-gnu`.
 *
 * @returns Null when the name tells of no platform.
 */
export function platformOf(name: string): Platform | null {
  const words = name.slice(name.indexOf('/') + 1).split(/[-_]/);
  const os = words.flatMap((word) => systems[word] ?? []);
  const cpu = words.filter((word) => processors.includes(word));
  const libc = words.flatMap((word) => libraries[word] ?? []);
  if (os.length === 0 && cpu.length === 0) return null;
  return {
    ...(os.length > 0 ? { os } : {}),
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(libc.length > 0 ? { libc } : {}),
  };
}
