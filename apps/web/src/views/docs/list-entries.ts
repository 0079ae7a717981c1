import { formatUsd } from '@touchstone/common';
import { BULK_SIZES, TAGS, toBulkPath, type Operation } from '@touchstone/contract';
import type { createAllCodeExamples } from '../../operations/documents/code-examples.ts';

type OperationExamples = ReturnType<typeof createAllCodeExamples>[number];

/** Entry of the API reference: one operation, or the five bulk operations. */
export interface DocsEntry extends OperationExamples {
  readonly title: string;
  readonly description: string;
  /** The five bulk operations in ascending order of their size; empty for every other operation. */
  readonly sizes: readonly Operation[];
}

/** Task of a caller, with the entries that belong to the task. Free entries are first. */
export interface DocsTask {
  readonly id: keyof typeof TAGS;
  readonly title: string;
  readonly description: string;
  readonly entries: readonly DocsEntry[];
}

const BULK_PATHS = BULK_SIZES.map(toBulkPath);

/** Groups operations by task. The bulk operations become one entry, because they differ only by size and price. */
export function listTasks(operations: readonly OperationExamples[]): readonly DocsTask[] {
  const entries = listEntries(operations);
  return (Object.keys(TAGS) as DocsTask['id'][]).map((id) => ({
    id,
    ...TAGS[id],
    entries: entries
      .filter(({ operation }) => operation.tags[0] === id)
      .toSorted((one, other) => Number(isPaid(one)) - Number(isPaid(other))),
  }));
}

const isPaid = ({ operation }: DocsEntry): boolean => operation.priceUsd !== null;

function listEntries(operations: readonly OperationExamples[]): readonly DocsEntry[] {
  const sizes = operations.map(({ operation }) => operation).filter(({ path }) => BULK_PATHS.includes(path));
  return operations.flatMap((each) => {
    const { operation } = each;
    const { path, summary, description, tool } = operation;
    if (!BULK_PATHS.includes(path)) return [{ ...each, title: summary, description, sizes: [] }];
    if (operation !== sizes[0]) return [];
    return [
      {
        ...each,
        title: tool?.title ?? summary,
        description: sizes.at(-1)?.description ?? description,
        sizes,
      },
    ];
  });
}

/** Formats the price of an entry for a list. Operations of a watch are free with its secret. */
export function formatEntryPrice({ operation: { priceUsd, security }, sizes }: DocsEntry): string {
  if (priceUsd === null) return security === 'bearer' ? 'with secret' : 'free';
  return sizes.length === 0 ? formatUsd(priceUsd) : `from ${formatUsd(priceUsd)}`;
}
