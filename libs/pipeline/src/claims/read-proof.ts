import { formatClaimLine, formatReferenceLine, type ClaimProof } from '@touchstone/contract';
import type { Probe, Sender, TxtResolver } from '@touchstone/probe';
import type { StoredClaim } from '@touchstone/store';
import { toDnsName, toFileUrl, toReferenceFileUrl } from './claim-context.ts';

/** Result of reading the places of a proof. */
export interface ProofReading {
  /** Claims whose proof was found, with its place. */
  readonly found: ReadonlyMap<string, ClaimProof>;
  /** True if every place was read, so that a proof that was not found is gone. */
  readonly isComplete: boolean;
  /** What was read instead of a proof, one sentence for each place. */
  readonly remarks: readonly string[];
}

/** Reads the proofs of claims of one host. Never rejects because of what the host does. */
export type ProofReader = (
  host: string,
  claims: readonly Pick<StoredClaim, 'id' | 'proofKey'>[],
) => Promise<ProofReading>;

const TIMEOUT_MS = 5_000;
const MAX_FILE_BYTES = 16_384;
const MAX_LINES = 500;

/** Text of one place by its lines; `null` if the place could not be read. */
interface Place {
  readonly proof: ClaimProof;
  readonly lines: readonly string[] | null;
  readonly remark: string;
}

/**
 * Creates the reader of proofs. The files are read through the address guard, over https, and redirects are not
 * followed: a redirect to another host would prove nothing about this one.
 *
 * @param resolveTxt looks up DNS records; undefined in a sandbox, which has no DNS
 */
export function createProofReader(send: Sender, resolveTxt: TxtResolver | undefined): ProofReader {
  return async (host, claims) => {
    const places = await Promise.all([
      readFile(send, 'file', toFileUrl(host)),
      ...(resolveTxt === undefined ? [] : [readDns(resolveTxt, toDnsName(host))]),
      readFile(send, 'reference-file', toReferenceFileUrl(host)),
    ]);
    const found = new Map<string, ClaimProof>();
    for (const claim of claims) {
      const place = places.find(({ proof, lines }) => lines?.includes(formatLine(proof, claim)) ?? false);
      if (place !== undefined) found.set(claim.id, place.proof);
    }
    return {
      found,
      isComplete: places.every(({ lines }) => lines !== null),
      remarks: places.filter(({ proof }) => proof !== 'reference-file').map(({ remark }) => remark),
    };
  };
}

function formatLine(proof: ClaimProof, { id, proofKey }: Pick<StoredClaim, 'id' | 'proofKey'>): string {
  return proof === 'reference-file' ? formatReferenceLine(proofKey) : formatClaimLine(id);
}

async function readFile(send: Sender, proof: ClaimProof, url: string): Promise<Place> {
  const probe = await send({
    ...{ url, method: 'GET', body: '' },
    // Some servers refuse requests without a language or with the content type of JSON.
    headers: { accept: 'text/plain' },
    ...{ timeoutMs: TIMEOUT_MS, maxReplyBytes: MAX_FILE_BYTES },
  });
  return { proof, ...readReply(probe, url) };
}

/** Statuses that say that the file does not exist. */
const GONE = new Set([404, 410]);

function readReply(
  { httpStatus, body, bodyEnd, failure, outcome, headers }: Probe,
  url: string,
): Omit<Place, 'proof'> {
  const lines = splitLines(body ?? '');
  if (httpStatus === null)
    return { lines: null, remark: `${url} could not be read: ${failure?.message ?? outcome}.` };
  if (GONE.has(httpStatus)) return { lines: [], remark: `${url} returned ${httpStatus}.` };
  if (httpStatus >= 300 && httpStatus < 400)
    return { lines: [], remark: `${url} returned ${httpStatus}; redirects are not followed.` };
  if (httpStatus !== 200) return { lines: null, remark: `${url} returned ${httpStatus} instead of 200.` };
  if (bodyEnd !== 'complete')
    return { lines: null, remark: `${url} was not read to its end: it must have at most 16 KiB.` };
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'text/plain';
  if (!/^text\/plain\b/i.test(type))
    return { lines: [], remark: `${url} has the content type ${type.slice(0, 60)} instead of text/plain.` };
  return { lines, remark: `${url} has ${lines.length === 0 ? 'no line' : 'other lines only'}.` };
}

/** Splits a text into its lines without the spaces around them. */
function splitLines(text: string): string[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/, MAX_LINES)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Error codes that say that a name has no TXT record. */
const NO_RECORD = new Set(['ENOTFOUND', 'ENODATA']);

async function readDns(resolveTxt: TxtResolver, name: string): Promise<Place> {
  try {
    const lines = (await resolveTxt(name)).map((chunks) => chunks.join('').trim());
    return { proof: 'dns', lines, remark: `The TXT record ${name} has other texts only.` };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return NO_RECORD.has(code)
      ? { proof: 'dns', lines: [], remark: `${name} has no TXT record.` }
      : { proof: 'dns', lines: null, remark: `The TXT record ${name} could not be looked up: ${code}.` };
  }
}
