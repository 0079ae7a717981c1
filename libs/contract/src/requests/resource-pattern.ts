/**
 * Visible characters of the basic plane: no controls (Cc), format characters (Cf), white space (Z), other
 * default-ignorable code points or lone surrogates. The ranges contain the characters themselves, because published
 * schemas are read by languages that support neither `\p{Cf}` nor `\u200b` in a pattern.
 */
const VISIBLE = [
  '!-~\u00a1-\u00ac\u00ae-\u034e\u0350-\u05ff\u0606-\u061b\u061d-\u06dc\u06de-\u070e',
  '\u0710-\u088f\u0892-\u08e1\u08e3-\u115e\u1161-\u167f\u1681-\u17b3\u17b6-\u180a',
  '\u1810-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\u3163\u3165-\ud7ff',
  '\ue000-\ufdff\ufe10-\ufefe\uff00-\uff9f\uffa1-\uffef\ufffc-\ufffd',
].join('');

/**
 * Pattern of the URL of an endpoint in a request. Invisible characters are refused, not removed: a URL that differs from
 * an honest one by such a character is a different resource, and its report must not look like that of the honest one.
 * They can be percent-encoded, as can characters beyond the basic plane. Spaces inside the URL are allowed.
 */
export const RESOURCE_PATTERN = new RegExp(`^[Hh][Tt][Tt][Pp][Ss]?://[${VISIBLE} ]*[${VISIBLE}]$`);
