import { formatNumber, median, printTable } from '../figures.ts';
import type { CallTotals } from '../rpc.ts';
import type { Round, Run } from './rounds.ts';

function sumTotals(totals: ReadonlyMap<string, CallTotals>): CallTotals {
  const all = [...totals.values()];
  return {
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    ms: all.reduce((sum, { ms }) => sum + ms, 0),
    cpuMs: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  };
}

function toMsPerCall({ ms, calls }: CallTotals = { ms: Number.NaN, cpuMs: 0, calls: 1 }): number {
  return ms / calls;
}

const toRate = ({ accepted, seconds }: Run): number => accepted / seconds;
const toCost = ({ accepted, cpuMs }: Run): number => cpuMs / accepted;

interface Column {
  readonly name: string;
  readonly digits: number;
  readonly read: (round: Round) => number;
}

const RATES: readonly Column[] = [
  { name: 'requests', digits: 0, read: ({ requests }) => requests },
  { name: 'delivered', digits: 0, read: ({ ours }) => ours.accepted },
  { name: 'ours/s', digits: 0, read: ({ ours }) => toRate(ours) },
  { name: 'fresh/s', digits: 0, read: ({ fresh }) => toRate(fresh) },
  { name: 'kept/s', digits: 0, read: ({ kept }) => toRate(kept) },
  { name: 'ours/fresh', digits: 2, read: ({ ours, fresh }) => toRate(ours) / toRate(fresh) },
  { name: 'ours/kept', digits: 2, read: ({ ours, kept }) => toRate(ours) / toRate(kept) },
];

const COSTS: readonly Column[] = [
  { name: 'ours', digits: 2, read: ({ ours }) => toCost(ours) },
  { name: 'fresh', digits: 2, read: ({ fresh }) => toCost(fresh) },
  { name: 'kept', digits: 2, read: ({ kept }) => toCost(kept) },
  { name: 'fresh/ours', digits: 2, read: ({ ours, fresh }) => toCost(fresh) / toCost(ours) },
  { name: 'PostgreSQL', digits: 2, read: ({ ours, calls }) => sumTotals(calls).cpuMs / ours.accepted },
];

const DATABASE: readonly Column[] = [
  { name: 'time in calls %', digits: 0, read: ({ ours, calls }) => sumTotals(calls).ms / ours.seconds / 10 },
  { name: 'busy %', digits: 0, read: ({ ours }) => ours.cpuMs / ours.seconds / 10 },
  { name: 'calls/100', digits: 1, read: ({ ours, calls }) => (100 * sumTotals(calls).calls) / ours.accepted },
  { name: 'ms/claim', digits: 0, read: ({ calls }) => toMsPerCall(calls.get('claim_deliveries')) },
  { name: 'ms/record', digits: 0, read: ({ calls }) => toMsPerCall(calls.get('record_deliveries')) },
];

function printColumns(title: string, columns: readonly Column[], rounds: readonly Round[]): void {
  // The last round contains the timeouts, which take longer than all other requests together.
  const compared = rounds.slice(0, -1);
  const line = (name: string, value: (column: Column) => number): string[] => [
    name,
    ...columns.map((column) => formatNumber(value(column), column.digits)),
  ];
  console.log(title);
  printTable([
    ['', ...columns.map(({ name }) => name)],
    ...rounds.map((round, index) =>
      line(index < compared.length ? `round ${index + 1}` : 'round with timeouts', ({ read }) => read(round)),
    ),
    line('median without timeouts', ({ read }) => median(compared.map(read))),
  ]);
  console.log('');
}

/** Prints the rates and costs of the job beside those of the bare client. */
export function printRounds(rounds: readonly Round[]): void {
  printColumns(
    'Successful deliveries per second. fresh and kept: node:https with the same requests, with new or kept connections.',
    RATES,
    rounds,
  );
  printColumns('CPU time per successful delivery in ms:', COSTS, rounds);
  printColumns(
    'Database calls of the job, and CPU time of its process as a share of the elapsed time:',
    DATABASE,
    rounds,
  );
}
