import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createFileJournal } from '../ledger/file-journal.ts';
import type { Journal } from '../ledger/journal.ts';
import { JournalLedger } from '../ledger/ledger.ts';
import { DEFAULT_LIMITS } from '../ledger/limit-policy.ts';
import { reserve } from '../ledger/reserve.ts';
import { createDraft, START_MS } from './payments.ts';

/**
 * Program that pays from the budget of a shared journal until the budget is used, and writes one line for each payment
 * that it may send. The program starts with the first byte of its input. Arguments: the file of the journal, the name of
 * the program, the budget in US dollars, and the number of entries after which the program kills itself while it holds
 * the lock.
 */
const [, , file = '', name = '', maxUsdTotal = '', killAfter = ''] = process.argv;

const journal = createFileJournal(file);
let appended = 0;
const killed: Journal = {
  ...journal,
  append: async (entries) => {
    await journal.append(entries);
    appended += 1;
    if (String(appended) === killAfter) process.kill(process.pid, 'SIGKILL');
  },
};
const ledger = new JournalLedger(killed);
const options = { policy: { ...DEFAULT_LIMITS, maxUsdTotal }, now: () => START_MS };

/** Writes text before it returns, so that a killed program loses no text. */
const write = (text: string) => writeSync(process.stdout.fd, text);

write('ready\n');
await once(process.stdin, 'data');
process.stdin.destroy();

for (let index = 0; ; index += 1) {
  const request = index === 0 ? 'shared request' : `request ${index} of ${name}`;
  const result = await reserve(ledger, createDraft({ request, header: `${name} ${index}` }), options);
  if (result.kind === 'refused') break;
  write(result.kind === 'send' ? `sent ${name} ${index}\n` : `resent ${result.header}\n`);
}
