/** Line of a refusal file that refuses all messages, with an optional comment. */
const REFUSAL_LINE = /^\uFEFF?[ \t]*deliveries[ \t]*:[ \t]*refuse[ \t]*(#.*)?$/im;

/** Returns true if the file `/.well-known/touchstone.txt` of a host refuses the messages of watches. */
export function isRefusal(file: string): boolean {
  return REFUSAL_LINE.test(file);
}
