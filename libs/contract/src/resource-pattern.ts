/**
 * Every character of the basic plane that can be seen: no controls (Cc), no format characters (Cf), no white space (Z),
 * no other default-ignorable code points, no half surrogate pairs. They are ranges of the characters themselves, since
 * the published schemas are read by languages that write neither `\p{Cf}` nor `\u200b` in a pattern as this one does.
 */
const SEEN = [
  '!-~\u00a1-\u00ac\u00ae-\u034e\u0350-\u05ff\u0606-\u061b\u061d-\u06dc\u06de-\u070e',
  '\u0710-\u088f\u0892-\u08e1\u08e3-\u115e\u1161-\u167f\u1681-\u17b3\u17b6-\u180a',
  '\u1810-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\u3163\u3165-\ud7ff',
  '\ue000-\ufdff\ufe10-\ufefe\uff00-\uff9f\uffa1-\uffef\ufffc-\ufffd',
].join('');

/**
 * The URL of an endpoint in a request. What cannot be seen is refused and not cleaned away: a URL that differs from an
 * honest one by such a character is the URL of something else, and what is said of it must not read as if it were of
 * the honest one. It can be written percent-encoded, as can a character beyond the basic plane. Spaces are taken within.
 */
export const RESOURCE_PATTERN = new RegExp(`^[Hh][Tt][Tt][Pp][Ss]?://[${SEEN} ]*[${SEEN}]$`);
