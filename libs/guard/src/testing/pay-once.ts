import { writeSync } from 'node:fs';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { createGuard } from '../guard.ts';
import type { GuardOptions } from '../guard-options.ts';
import { createFileJournal } from '../ledger/file-journal.ts';

/**
 * Program that pays for one request with a file journal, and writes the status of the response. Arguments: the file of
 * the journal, the URL to pay, and the service and its keys as JSON.
 */
const [, , file = '', url = '', service = ''] = process.argv;
const account = privateKeyToAccount(`0x${'01'.repeat(32)}`);
const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account));
// The test writes the argument with `JSON.stringify`.
const options = JSON.parse(service) as Pick<GuardOptions, 'service' | 'keys'>;
const guard = createGuard({ ...options, journal: createFileJournal(file) });
const { status } = await wrapFetchWithPayment(guard.wrapFetch(fetch), client)(url);
writeSync(process.stdout.fd, `status ${status}`);
