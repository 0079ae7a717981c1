import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Journal, JournalEntry } from '@touchstone/guard';
import { createFileJournal, readParts } from '@touchstone/guard/file';
import { Option } from 'commander';
import { CliError, type Host, toMessage } from '../command-tools.ts';
import { findStateFolder } from '../state-files.ts';

export function createJournalOption(): Option {
  return new Option(
    '--journal <file>',
    'journal of the payments (default: payments.jsonl in the state folder)',
  );
}

/** Returns the file of the journal. */
export function findJournalFile(journal: string | undefined, { env }: Pick<Host, 'env'>): string {
  return journal ?? join(findStateFolder(env), 'payments.jsonl');
}

/**
 * Opens a journal that a guard has written, and reads all its entries.
 *
 * @throws CliError if the file does not exist, or cannot be read
 */
export async function readJournal(
  option: string | undefined,
  host: Pick<Host, 'env'>,
): Promise<{ readonly journal: Journal; readonly entries: readonly JournalEntry[] }> {
  const file = findJournalFile(option, host);
  if (!existsSync(file))
    throw new CliError(
      `${file} does not exist, so no payments are recorded there. Give the journal of your guard with --journal.`,
    );
  const journal = createFileJournal(file);
  try {
    const entries: JournalEntry[] = [];
    for await (const part of readParts(journal)) entries.push(...part.entries);
    return { journal, entries };
  } catch (cause) {
    throw new CliError(toMessage(cause), { cause });
  }
}
