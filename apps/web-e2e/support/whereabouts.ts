import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Whereabouts {
  readonly database: string;
  readonly chain: { readonly rpcUrl: string; readonly facilitatorUrl: string; readonly ledgerFile: string };
}

const dataDir = (): string => process.env['TOUCHSTONE_DATA_DIR'] ?? '';

/** Where the parts of the service under test listen, as its log says. */
export function whereabouts(): Whereabouts {
  const lines = readFileSync(join(dataDir(), 'logs', 'service.log'), 'utf8')
    .trim()
    .split('\n');
  const up = lines
    .map((line) => JSON.parse(line) as { msg?: string })
    .findLast(({ msg }) => msg === 'All parts are up');
  if (up === undefined) throw new Error('The service has not logged where its parts are');
  // Written by the service under test.
  return up as unknown as Whereabouts;
}

/** The private key of a wallet that has dollars of the sandbox. */
export function visitorKey(): `0x${string}` {
  return readFileSync(join(dataDir(), 'sandbox', 'visitor.key'), 'utf8').trim() as `0x${string}`;
}

interface LedgerRow {
  readonly route: string;
  readonly resource: string;
  readonly payer: string;
  readonly pay_to: string;
  readonly amount: number;
  readonly state: string;
  readonly transaction: string | null;
}

/** The payments that the service keeps of one transaction. The embedded API takes `eq.0x…` for a number. */
export async function ledgerOf(transaction: string): Promise<readonly LedgerRow[]> {
  const state = JSON.parse(readFileSync(join(dataDir(), 'state.json'), 'utf8')) as {
    keys: { secret: string };
  };
  const url = `${whereabouts().database}/rest/v1/payments?transaction=like.${transaction}`;
  const { secret } = state.keys;
  const answer = await fetch(url, { headers: { apikey: secret, authorization: `Bearer ${secret}` } });
  if (!answer.ok) throw new Error(`The database answered ${answer.status}: ${await answer.text()}`);
  // The table as its migration makes it.
  return (await answer.json()) as LedgerRow[];
}
