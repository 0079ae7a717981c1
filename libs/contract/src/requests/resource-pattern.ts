/**
 * Visible characters of the Basic Multilingual Plane. Control characters (Cc), format characters (Cf), white space (Z),
 * other default-ignorable code points and lone surrogates are excluded. The ranges contain literal characters, because
 * some languages that read the published schemas support neither `\p{Cf}` nor `\u200b` in a pattern.
 */
const VISIBLE = [
  '!-~\u00a1-\u00ac\u00ae-\u034e\u0350-\u05ff\u0606-\u061b\u061d-\u06dc\u06de-\u070e',
  '\u0710-\u088f\u0892-\u08e1\u08e3-\u115e\u1161-\u167f\u1681-\u17b3\u17b6-\u180a',
  '\u1810-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\u3163\u3165-\ud7ff',
  '\ue000-\ufdff\ufe10-\ufefe\uff00-\uff9f\uffa1-\uffef\ufffc-\ufffd',
].join('');

/**
 * Pattern of an endpoint's URL in a request. A URL with invisible characters is refused: it names a different resource,
 * but its report would look like the report of the URL without them. Clients can percent-encode such characters, and
 * characters outside the Basic Multilingual Plane. Spaces inside the URL are allowed.
 */
export const RESOURCE_PATTERN = new RegExp(`^[Hh][Tt][Tt][Pp][Ss]?://[${VISIBLE} ]*[${VISIBLE}]$`);
