const JUDGE_SAVED = 'save the answer to such a request and judge it with --file.';

const NEEDS: ReadonlyMap<number, string> = new Map([
  [401, `It asks for credentials first, which are not sent here: ${JUDGE_SAVED}`],
  [403, `It turned this request away: if a key or another place to ask from lets it in, ${JUDGE_SAVED}`],
  [407, 'A proxy on the way asks for credentials first: ask from a network without it.'],
]);
const LACKING = `It wants a complete request: put what it asks for into the URL, name its method with --method, or ${JUDGE_SAVED}`;

/** What to do about an answer whose status leaves open whether there is a challenge. */
export function undeterminedNote(status: number, retryAfter: string | null): string {
  if (status !== 429) return NEEDS.get(status) ?? LACKING;
  const seconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? ` for ${retryAfter} seconds` : '';
  return `It was asked too often: wait${seconds || ' a while'}, and ask again.`;
}

/** When the server wants to be asked again: seconds or a date, as it says. */
export function retryAfterOf(headers: readonly (readonly [name: string, value: string])[]): string | null {
  return headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1].trim() ?? null;
}
