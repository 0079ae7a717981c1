import { z } from 'zod';

/** Maximum length of a statement of a provider, in characters. */
export const MAX_STATEMENT_CHARS = 280;

/** Maximum length of the quoted part of a refused text, in characters. */
const MAX_QUOTED_CHARS = 40;

interface ForbiddenPart {
  readonly pattern: RegExp;
  /** Name of the part with its article, for an error message. */
  readonly name: string;
}

/** Parts that are refused in the text as it was sent. */
const FORBIDDEN_CHARACTERS: readonly ForbiddenPart[] = [
  { pattern: /[\n\r\u0085\u2028\u2029]/u, name: 'a line break' },
  { pattern: /[\p{Bidi_Control}]/u, name: 'a character that changes the direction of text' },
  {
    // The Hangul fillers and the Braille blank are letters or symbols by category, and have no glyph.
    pattern: /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}/u,
    name: 'an invisible character or a control character',
  },
  { pattern: /\p{M}{4,}/u, name: 'more than three combining characters in a row' },
];

/** Characters that look like a dot. NFKC replaces further lookalikes, such as the full-width dot. */
const DOTS =
  '\\u00B7\\u0387\\u0589\\u06D4\\u0701\\u0702\\u2022\\u2027\\u2219\\u22C5\\u1427\\u3002\\u30FB\\u318D\\uA4F8\\uA60E';

/** Domain endings that are looked for also where a text disguises their dot. */
const ENDINGS = '(?:com|net|org|xyz|io|app|dev|eth|ai|me|co)\\b';

/**
 * Lookalikes of a dot between two letters, of which at least one is Latin, and also with spaces around them before the
 * ending of a domain. Elsewhere they are bullets, or punctuation of a script such as the full stop of Chinese. Catalan
 * has a middle dot between two letters l.
 */
const LOOKALIKE_DOT = new RegExp(
  `(?<![Ll](?=\\u00B7[Ll]))(?:(?<=[\\p{sc=Latn}\\p{Nd}-])[${DOTS}](?=[\\p{L}\\p{Nd}])|[${DOTS}](?=\\p{sc=Latn}| ${ENDINGS}))`,
  'gu',
);

/** Dates and times, whose digits are no telephone number. */
const DATE_OR_TIME = /\b\d{4}-\d{2}-\d{2}(?:t(?=\d))?|\b\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?z?\b/gu;

/** Parts that are refused in the normalized text, see `normalizeText`. The first entry that matches is reported. */
const FORBIDDEN_PARTS: readonly ForbiddenPart[] = [
  {
    pattern:
      /(?<!\S)\S*?:\/\/\S*|\b(?:https?|hxxps?|ftp|mailto|tel|sms|javascript|data|ipfs|ipns|tg|bitcoin|ethereum|solana):\s?[^\s]*/u,
    name: 'a link',
  },
  { pattern: /(?<!\S)[^\s@]*@ ?\S*/u, name: 'an e-mail address or a user name' },
  {
    pattern: /\b(?:telegram|whatsapp|wechat|discord|skype|viber)\b/u,
    name: 'the name of a chat service, which invites to a contact elsewhere',
  },
  {
    pattern: /\b0x[0-9a-f]{4,}[^\s]*|\b0 ?x(?: ?[0-9a-f]){6,}|\b[a-z0-9]{25,}\b/u,
    name: 'a wallet address, a hash or a key',
  },
  {
    pattern:
      /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+(?:(?:\.[\p{L}\p{N}-]+)*\.(?:xn--[a-z0-9-]+|\p{L}[\p{L}\p{M}]+)(?!\p{L})| \. ?\p{L}{2,}|\. (?:com|net|org|xyz|io)\b)/u,
    name: 'a domain or a file name',
  },
  { pattern: /\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:[0-9a-f]{1,4}:){3,}|::/u, name: 'an IP address' },
  {
    pattern: /\+\s?\p{Nd}(?:[\s().\-/]{0,2}\p{Nd}){5,}|\p{Nd}(?:[\s().\-/]{0,2}\p{Nd}){7,}/u,
    name: 'a telephone number',
  },
  { pattern: /\/\/|\\\\/u, name: 'a link' },
];

/** Words with letters of Latin and of a script with the same shapes, such as `раypal` with a Cyrillic a. */
const MIXED_WORD =
  /(?<![\p{L}\p{M}])(?=[\p{L}\p{M}]*\p{sc=Latn})(?=[\p{L}\p{M}]*[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}\p{sc=Cher}])[\p{L}\p{M}]+/u;

/** Names of files and libraries whose endings are no domains, such as `config.json` and `node.js`. */
const FILE_NAME =
  /(?<![\p{L}\p{N}.:@/_-])[\p{L}\p{N}_-]{1,40}\.(?:js|ts|json|ya?ml|toml|txt)(?![\p{L}\p{N}:@/_-]|\.[\p{L}\p{N}])/gu;

const DISGUISED_DOT = new RegExp(` ?[,_|](?=${ENDINGS})`, 'gu');

/** Returns the text in lower case with the usual replacements of dots and of `@` undone, and without dates and times. */
function normalizeText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/ {2,}/gu, ' ')
    .replace(FILE_NAME, ' ')
    .replace(LOOKALIKE_DOT, '.')
    .replace(/(?<=\.)\p{M}+/gu, '')
    .replace(/\s*[([{<]\s*(?:[.,]|dot|punkt|punto)\s*[)\]}>]\s*|(?<=\p{L})[ _-]dot[ _-](?=\p{L})/gu, '.')
    .replace(DISGUISED_DOT, '.')
    .replace(/\s*[([{<]\s*at\s*[)\]}>]\s*| at (?=(?:gmail|outlook|hotmail|yahoo|icloud|proton\w*)\b)/gu, '@')
    .replace(DATE_OR_TIME, ' ');
}

function findForbiddenPart(text: string): { readonly name: string; readonly part: string } | null {
  for (const { pattern, name } of FORBIDDEN_CHARACTERS) {
    const [part] = pattern.exec(text) ?? [];
    if (part !== undefined) return { name, part: `U+${formatCodePoint(part)}` };
  }
  const [word] = MIXED_WORD.exec(text.normalize('NFKC')) ?? [];
  if (word !== undefined) return { name: 'a word with letters of several alphabets', part: word };
  const normalized = normalizeText(text);
  for (const { pattern, name } of FORBIDDEN_PARTS) {
    const [part] = pattern.exec(normalized) ?? [];
    if (part !== undefined) return { name, part: part.trim() };
  }
  return null;
}

function formatCodePoint(text: string): string {
  return (text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

/**
 * Returns the reason why a text of a provider cannot be shown on a page, as a phrase that follows the name of the field;
 * null for a valid text. A valid text is one line of plain text that leads readers to no other place: it has no link,
 * domain, e-mail address, user name, telephone number or wallet address, also in common disguises.
 */
export function explainStatementText(text: string, maxChars: number): string | null {
  const length = [...text].length;
  if (text.trim() === '' || length > maxChars)
    return `must be one line of 1 to ${String(maxChars)} characters, and has ${String(length)}`;
  const found = findForbiddenPart(text);
  if (found === null) return null;
  const quoted = [...found.part].slice(0, MAX_QUOTED_CHARS).join('');
  return `must be plain text without ${found.name}: remove or rephrase '${quoted}'`;
}

/**
 * Creates the schema of a text of a provider that pages show as the words of the provider.
 *
 * @param maxChars Maximum length, in characters.
 */
export function createStatementText(maxChars = MAX_STATEMENT_CHARS) {
  const expectation = `must be one line of plain text of 1 to ${String(maxChars)} characters`;
  return z
    .string({ error: expectation })
    .superRefine((text, context) => {
      const reason = explainStatementText(text, maxChars);
      if (reason !== null) context.addIssue({ code: 'custom', message: reason, input: text });
    })
    .transform((text) => text.trim().replaceAll(/ {2,}/g, ' '))
    .meta({ minLength: 1, maxLength: maxChars });
}
