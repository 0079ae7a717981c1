import { undoAdoption } from '@touchstone/store';
import type { ReportContext, ReportProblem } from './report-context.ts';
import type { Findings } from './report-findings.ts';

/**
 * Runs `find` for an endpoint whose adoption this request holds. Its findings get a function that undoes the adoption.
 * When it returns a problem or throws, the adoption is undone at once.
 */
export async function runUndoable(
  context: ReportContext,
  endpointId: string,
  find: () => Promise<Findings | ReportProblem>,
): Promise<Findings | ReportProblem> {
  const undo = createUndo(context, endpointId);
  try {
    const found = await find();
    if (found.kind === 'findings') return { ...found, undo };
    await undo();
    return found;
  } catch (error) {
    // The first error is the one to report.
    await undo().catch(() => undefined);
    throw error;
  }
}

function createUndo({ db, now, onChanged }: ReportContext, endpointId: string): () => Promise<void> {
  return async () => {
    if (await undoAdoption(db, endpointId, now())) await onChanged([endpointId]);
  };
}

/**
 * Shares one undo function between several requests. The adoption is undone when all of them have called their own
 * function; further calls of the same function have no effect.
 */
export function createSharedUndo(undo: () => Promise<void>, sharers: number): () => () => Promise<void> {
  let left = sharers;
  return () => {
    let isCalled = false;
    return async () => {
      if (isCalled) return;
      isCalled = true;
      left -= 1;
      if (left === 0) await undo();
    };
  };
}
