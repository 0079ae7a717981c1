import { undoAdoption } from '@touchstone/store';
import type { ReportContext, ReportProblem } from './report-context.ts';
import type { Findings } from './report-findings.ts';

/**
 * Finds something out that depends on an adoption, which is held already: what is found says how to take that back, and
 * where there is nothing to report on it is taken back at once.
 */
export async function undoable(
  context: ReportContext,
  endpointId: string,
  find: () => Promise<Findings | ReportProblem>,
): Promise<Findings | ReportProblem> {
  const undo = undoOf(context, endpointId);
  try {
    const found = await find();
    if (found.kind === 'findings') return { ...found, undo };
    await undo();
    return found;
  } catch (error) {
    // The failure that is told is the first one.
    await undo().catch(() => undefined);
    throw error;
  }
}

function undoOf({ db, now, onChanged }: ReportContext, endpointId: string): () => Promise<void> {
  return async () => {
    if (await undoAdoption(db, endpointId, now())) await onChanged([endpointId]);
  };
}

/** For several that depend on an adoption together: it is taken back once each of them wants it, which each says once. */
export function undoTogether(undo: () => Promise<void>, sharers: number): () => () => Promise<void> {
  let left = sharers;
  return () => {
    let isWanted = false;
    return async () => {
      if (isWanted) return;
      isWanted = true;
      left -= 1;
      if (left === 0) await undo();
    };
  };
}
