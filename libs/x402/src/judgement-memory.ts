import type { Judgement } from './read-challenge.ts';

/** Cryptographic hash function with a result of at least 16 bytes, such as SHA-256. */
export type Digest = (text: string) => Uint8Array;

/** Number of slots in each set. A set keeps the digests that were requested last. */
const SLOTS_PER_SET = 8;
/** Number of 32-bit words of a digest that are kept. With 128 bits, two texts with the same digest cannot be found. */
const DIGEST_WORDS = 4;
/** Size of a slot in words: the digest, then its content. */
const SLOT_WORDS = DIGEST_WORDS + 1;
const SET_WORDS = SLOTS_PER_SET * SLOT_WORDS;

/** Content of an unused slot. */
const EMPTY = 0;
/**
 * Content of a slot whose digest was requested once. Its judgement is not kept, so responses that differ at each request
 * do not fill the list of judgements.
 */
const REQUESTED_ONCE = 1;
/** Content of a slot with the first judgement of the list. The content of other slots is higher by their position. */
const FIRST_JUDGEMENT = 2;

interface JudgementMemory {
  /**
   * Returns the judgement for a key. Calls `judge` when the memory does not contain it.
   *
   * @param key text that differs for responses that may be judged differently
   */
  readonly get: (key: string, judge: () => Judgement) => Judgement;
}

/**
 * Creates a memory of judgements. Most responses have one of few judgements, so a table of fixed size contains 20 bytes
 * for each response: the digest of its key, and the position of its judgement in a list. A judgement is kept when its
 * key is requested for the second time. When the list is full, the memory forgets everything.
 *
 * @param maxBytes maximum size in bytes, half of it for the table, half for the list
 */
export function createJudgementMemory(digest: Digest, maxBytes: number): JudgementMemory {
  const setCount = Math.max(1, Math.floor(maxBytes / 2 / (SET_WORDS * Uint32Array.BYTES_PER_ELEMENT)));
  const table = new Uint32Array(setCount * SET_WORDS);
  const list = createJudgementList(digest, maxBytes / 2);

  const keep = (judgement: Judgement): number => {
    const position = list.add(judgement);
    if (position !== null) return FIRST_JUDGEMENT + position;
    table.fill(EMPTY);
    list.clear();
    return REQUESTED_ONCE;
  };
  return {
    get: (key, judge) => {
      const words = toWords(digest(key));
      const start = ((words[0] ?? 0) % setCount) * SET_WORDS;
      const set = table.subarray(start, start + SET_WORDS);
      const slot = findSlot(set, words);
      const content = set[slot + DIGEST_WORDS] ?? EMPTY;
      const known = list.get(content - FIRST_JUDGEMENT);
      const judgement = known ?? judge();
      let kept = content;
      if (known === undefined) kept = content === EMPTY ? REQUESTED_ONCE : keep(judgement);
      // Moves the slot to the start of the set. The last slot of a full set is overwritten when its digest is not found.
      set.copyWithin(SLOT_WORDS, 0, slot);
      set.set(words);
      set[DIGEST_WORDS] = kept;
      return judgement;
    },
  };
}

function toWords(bytes: Uint8Array): readonly number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: DIGEST_WORDS }, (_, index) => view.getUint32(4 * index));
}

/** Returns the position of the slot with a digest; the end of the set if no slot has this digest. */
function findSlot(set: Uint32Array, words: readonly number[]): number {
  let slot = 0;
  while (slot < SET_WORDS && !words.every((word, index) => set[slot + index] === word)) slot += SLOT_WORDS;
  return slot;
}

/** Size of a judgement without its failed checks and its texts, in bytes: mostly a list of references to checks. */
const JUDGEMENT_BYTES = 2_048;

/** Creates a list of different judgements with a maximum size in bytes. */
function createJudgementList(digest: Digest, maxBytes: number) {
  const judgements: Judgement[] = [];
  const positions = new Map<string, number>();
  let bytes = 0;
  return {
    get: (position: number): Judgement | undefined => judgements[position],
    /** Adds a judgement. Returns its position, or that of an equal judgement; null when the list is full. */
    add: (judgement: Judgement): number | null => {
      const text = JSON.stringify(selectOwnValues(judgement));
      const id = toWords(digest(text)).join();
      const known = positions.get(id);
      if (known !== undefined) return known;
      // A character takes at most two bytes.
      bytes += JUDGEMENT_BYTES + 2 * text.length;
      if (bytes > maxBytes) return null;
      positions.set(id, judgements.length);
      return judgements.push(judgement) - 1;
    },
    clear: (): void => {
      judgements.length = 0;
      positions.clear();
      bytes = 0;
    },
  };
}

/**
 * Selects the values that differ between judgements. All passed checks of a rule are the same object, and so are its
 * skipped checks without a reason.
 */
function selectOwnValues(judgement: Judgement): unknown {
  const checks = judgement.checks.map((check) =>
    check.result === 'fail' || check.skipReason !== undefined ? check : check.result,
  );
  return { ...judgement, checks };
}
