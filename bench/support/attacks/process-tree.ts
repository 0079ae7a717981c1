import { readdirSync, readFileSync } from 'node:fs';

/** Process of a running service. */
export interface ServiceProcess {
  readonly pid: number;
  /** Part of the service that the process runs. */
  readonly part:
    | 'service'
    | 'database'
    | 'embedder'
    | 'sandbox'
    | 'site'
    | 'chain'
    | 'chain watchdog'
    | 'other';
}

/** Parts by a pattern of the command line. The first match counts. */
const PARTS = [
  ['chain watchdog', /parent-watchdog/],
  ['chain', /anvil/],
  ['embedder', /embedder-process/],
  ['database', /libs\/embedded\/src\/main/],
  ['sandbox', /apps\/sandbox\/src\/main/],
  ['site', /^next-server|apps\/web\/src\/server|next\/dist\/bin\/next/],
  ['service', /apps\/service\/src\/main/],
] as const;

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended since the folder was read.
    return null;
  }
}

/** Lists the running processes with the ids of their parents. */
function listProcesses(): readonly { readonly pid: number; readonly parent: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const parent = /^PPid:\s+(\d+)$/m.exec(readOrNull(`/proc/${name}/status`) ?? '')?.[1];
    return parent === undefined ? [] : [{ pid: Number(name), parent: Number(parent) }];
  });
}

/** Lists a service's process and its descendants. Works on Linux only. */
export function listServiceProcesses(servicePid: number): readonly ServiceProcess[] {
  const all = listProcesses();
  const collect = (pid: number): readonly number[] => [
    pid,
    ...all.filter(({ parent }) => parent === pid).flatMap((child) => collect(child.pid)),
  ];
  return collect(servicePid).map((pid) => {
    const command = (readOrNull(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ');
    const [part] = PARTS.find(([, pattern]) => pattern.test(command)) ?? ['other' as const];
    return { pid, part };
  });
}

/** Returns the process id of a part; null if it does not run. */
export function findPart(servicePid: number, part: ServiceProcess['part']): number | null {
  return listServiceProcesses(servicePid).find((each) => each.part === part)?.pid ?? null;
}

/** Returns the memory of a process in megabytes: PSS, which divides shared pages between processes, otherwise RSS. */
export function readMegabytes(pid: number): number {
  const rollup = readOrNull(`/proc/${pid}/smaps_rollup`) ?? '';
  const status = readOrNull(`/proc/${pid}/status`) ?? '';
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return Number(kilobytes ?? Number.NaN) / 1_024;
}
