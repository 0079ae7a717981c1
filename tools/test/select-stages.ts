import type { Stage } from './stages.ts';

export type Selection =
  | { readonly ok: true; readonly names: ReadonlySet<string> }
  | { readonly ok: false; readonly message: string };

/**
 * Selects stages by command-line arguments, such as `unit`, `lint unit` or `--only=lint,unit`. Without arguments, all
 * stages are selected. Stages that a selected stage needs are added.
 */
export function selectStages(args: readonly string[], stages: readonly Stage[]): Selection {
  const known = stages.map(({ name }) => name);
  const wanted = args.flatMap((arg) => arg.replace(/^--only=/, '').split(',')).filter((name) => name !== '');
  const unknown = wanted.filter((name) => !known.includes(name));
  if (args.length === 0) return { ok: true, names: new Set(known) };
  if (unknown.length > 0 || wanted.length === 0) {
    const problem = unknown.length > 0 ? `Unknown stage: ${unknown.join(', ')}` : 'No stage was given';
    return { ok: false, message: `${problem}. The stages are: ${known.join(', ')}.` };
  }
  const needed = stages.flatMap(({ name, needs }) =>
    wanted.includes(name) && needs !== undefined ? [needs] : [],
  );
  return { ok: true, names: new Set([...wanted, ...needed]) };
}
