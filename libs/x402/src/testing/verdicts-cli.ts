import { readChallenge } from '../challenge/read-challenge.ts';
import type { Challenge, ChallengeResponse } from '../types.ts';
import { createReferenceClients } from './reference-clients.ts';
import { toListingResponse, readCaptures, readJsonLines, findRecordedFile } from './recorded-data.ts';
import { startSolanaRpc } from './solana-rpc.ts';

/** `REAL_DATA_DIR=… npm run recorded:verdicts`: what is said of the recorded answers and listings, counted. */
const rpc = await startSolanaRpc();
const clients = await createReferenceClients(rpc.url);

function tally(names: Iterable<string>): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, one], [, other]) => other - one));
}

function payableBy({ payable }: Pick<Challenge, 'payable'>): string {
  return `v1 ${payable.v1 ? 'yes' : 'no'}, v2 ${payable.v2 ? 'yes' : 'no'}`;
}

async function report(title: string, answers: readonly ChallengeResponse[]): Promise<void> {
  const challenges = answers.map((answer) => readChallenge(answer));
  const theirs: string[] = [];
  for (const answer of answers) theirs.push(payableBy({ payable: await clients.pay(answer) }));
  const ours = challenges.map(payableBy);
  const failed = challenges.flatMap(({ checks }) =>
    checks
      .filter(({ result }) => result === 'fail')
      .map(({ axis, severity, id }) => `${axis} ${severity} ${id}`),
  );
  console.log(`\n${title}: ${String(answers.length)}`);
  console.log('verdicts', tally(challenges.map(({ verdict }) => verdict)));
  console.log('payable by us', tally(ours));
  console.log('payable by the clients', tally(theirs));
  console.log('disagreements', ours.filter((said, index) => said !== theirs[index]).length);
  console.log('rules that failed', tally(failed));
}

const captures = findRecordedFile('real-402.jsonl');
const listings = findRecordedFile('real-listings.jsonl');
if (captures === null || listings === null) {
  console.error('Set REAL_DATA_DIR to the folder of the recorded data.');
  process.exitCode = 2;
} else {
  await report('Recorded answers', [...readCaptures(captures).values()]);
  await report('Listings, as the answers they describe', readJsonLines(listings).map(toListingResponse));
}
await rpc.stop();
