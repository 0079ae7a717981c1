import { readChallenge } from '../read-challenge.ts';
import type { Challenge, ChallengeResponse } from '../types.ts';
import { createReferenceClients } from './reference-clients.ts';
import { toListingResponse, readCaptures, readJsonLines, findRecordedFile } from './recorded-data.ts';
import { startSolanaRpc } from './solana-rpc.ts';

/** Prints counts of the verdicts on recorded data. Usage: `REAL_DATA_DIR=… npm run recorded:verdicts`. */
const rpc = await startSolanaRpc();
const clients = await createReferenceClients(rpc.url);

function countByName(names: Iterable<string>): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, one], [, other]) => other - one));
}

function formatPayable({ payable }: Pick<Challenge, 'payable'>): string {
  return `v1 ${payable.v1 ? 'yes' : 'no'}, v2 ${payable.v2 ? 'yes' : 'no'}`;
}

function formatSettles({ settles, settlementFailures: { v1, v2 } }: Challenge): string {
  const reasons = [...new Set([v1, v2])].filter((reason) => reason !== null);
  return [`v1 ${settles.v1 ? 'yes' : 'no'}, v2 ${settles.v2 ? 'yes' : 'no'}`, ...reasons].join('; ');
}

async function report(title: string, responses: readonly ChallengeResponse[]): Promise<void> {
  const challenges = responses.map((response) => readChallenge(response));
  const theirs: string[] = [];
  for (const response of responses) theirs.push(formatPayable(await clients.pay(response)));
  const ours = challenges.map(formatPayable);
  const failed = challenges.flatMap(({ checks }) =>
    checks
      .filter(({ result }) => result === 'fail')
      .map(({ axis, severity, id }) => `${axis} ${severity} ${id}`),
  );
  console.log(`\n${title}: ${String(responses.length)}`);
  console.log('verdicts', countByName(challenges.map(({ verdict }) => verdict)));
  console.log('payable (this package)', countByName(ours));
  console.log('payable (reference clients)', countByName(theirs));
  console.log('disagreements', ours.filter((verdict, index) => verdict !== theirs[index]).length);
  console.log('settles (this package)', countByName(challenges.map(formatSettles)));
  console.log('failed rules', countByName(failed));
}

const captures = findRecordedFile('real-402.jsonl');
const listings = findRecordedFile('real-listings.jsonl');
if (captures === null || listings === null) {
  console.error('REAL_DATA_DIR is not set to the folder with real-402.jsonl and real-listings.jsonl.');
  process.exitCode = 2;
} else {
  await report('Recorded responses', [...readCaptures(captures).values()]);
  await report('Listings, converted to responses', readJsonLines(listings).map(toListingResponse));
}
await rpc.stop();
