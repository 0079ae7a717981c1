import { MINUTE_MS } from '@touchstone/common';
import { formatClaimLine, formatReferenceLine, type ClaimProof } from '@touchstone/contract';
import { ALIAS_CODE, NO_RECORD_CODES, type Sender, type TxtResolver } from '@touchstone/probe';
import type { StoredClaim } from '@touchstone/store';
import { readHostFile, type HostFile } from '../host-file.ts';
import { toDnsName, toFileUrl, toReferenceFileUrl } from './claim-context.ts';

/** Result of reading the places of a proof. */
interface ProofReading {
  /** Claims whose proof was found, with its place. */
  readonly found: ReadonlyMap<string, ClaimProof>;
  /** True if every place was read. */
  readonly isComplete: boolean;
  /** True if a proof that was not found is certainly gone, see `HostFile`. */
  readonly isCertain: boolean;
  /** True if this service could not read a place for a reason of its own. */
  readonly isOwnFailure: boolean;
  /** Content that was read instead of a proof: one sentence for each place, except a readable reference file. */
  readonly remarks: readonly string[];
}

/** Reads the proofs of claims of one host. Never rejects because of what the host does. */
export type ProofReader = (
  host: string,
  claims: readonly Pick<StoredClaim, 'id' | 'proofKey'>[],
) => Promise<ProofReading>;

const TIMEOUT_MS = 5_000;

/** Content of one place by its lines. */
interface Place extends HostFile {
  readonly proof: ClaimProof;
}

/**
 * Creates the reader of proofs.
 *
 * @param resolveTxt looks up DNS records; undefined in a sandbox, which has no DNS
 */
export function createProofReader(send: Sender, resolveTxt: TxtResolver | undefined): ProofReader {
  const readPlaces = limitReadings(async (host) =>
    Promise.all([
      readFile(send, 'file', toFileUrl(host)),
      ...(resolveTxt === undefined ? [] : [readDns(resolveTxt, toDnsName(host))]),
      readFile(send, 'reference-file', toReferenceFileUrl(host)),
    ]),
  );
  return async (host, claims) => {
    const places = await readPlaces(host);
    const found = new Map<string, ClaimProof>();
    for (const claim of claims) {
      const place = places.find(({ proof, lines }) => lines?.includes(formatLine(proof, claim)) ?? false);
      if (place !== undefined) found.set(claim.id, place.proof);
    }
    return {
      found,
      isComplete: places.every(({ lines }) => lines !== null),
      isCertain: places.every(({ isCertain }) => isCertain),
      isOwnFailure: places.some(({ isOwnFailure }) => isOwnFailure),
      remarks: places
        .filter(({ proof, lines }) => proof !== 'reference-file' || lines === null)
        .map(({ remark }) => remark),
    };
  };
}

type ReadPlaces = (host: string) => Promise<readonly Place[]>;

const WINDOW_MS = MINUTE_MS;
/** Maximum number of readings of one host within a minute. */
const MAX_READINGS = 10;

/**
 * Limits the readings of each host, because anybody can create claims and request their verification. Beyond the limit,
 * requests share the latest reading of the minute. A limit that refuses requests would let anybody keep the owner of a
 * host from verifying.
 */
function limitReadings(read: ReadPlaces): ReadPlaces {
  const windows = new Map<string, { startedAt: number; count: number; latest: Promise<readonly Place[]> }>();
  return (host) => {
    const now = performance.now();
    for (const [name, { startedAt }] of windows) {
      if (now - startedAt < WINDOW_MS) break;
      windows.delete(name);
    }
    const window = windows.get(host);
    if (window !== undefined && window.count >= MAX_READINGS) return window.latest;
    const latest = read(host);
    windows.set(host, { startedAt: now, ...window, count: (window?.count ?? 0) + 1, latest });
    return latest;
  };
}

function formatLine(proof: ClaimProof, { id, proofKey }: Pick<StoredClaim, 'id' | 'proofKey'>): string {
  return proof === 'reference-file' ? formatReferenceLine(proofKey) : formatClaimLine(id);
}

async function readFile(send: Sender, proof: ClaimProof, url: string): Promise<Place> {
  return { proof, ...(await readHostFile(send, url, TIMEOUT_MS)) };
}

async function readDns(resolveTxt: TxtResolver, name: string): Promise<Place> {
  const place = { proof: 'dns', isOwnFailure: false, isCertain: true } as const;
  try {
    const lines = (await resolveTxt(name)).map((chunks) => chunks.join('').trim());
    return { ...place, lines, remark: `The TXT record ${name} has other texts only.` };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (NO_RECORD_CODES.has(code)) return { ...place, lines: [], remark: `${name} has no TXT record.` };
    if (code === ALIAS_CODE)
      return { ...place, lines: [], remark: `${name} is an alias, whose TXT records are not accepted.` };
    return {
      ...place,
      lines: null,
      isCertain: false,
      remark: `The TXT record ${name} could not be looked up: ${code}.`,
    };
  }
}
