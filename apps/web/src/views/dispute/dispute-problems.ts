/**
 * Texts of the problems of a sent form, by the name of the field or the code of the problem. The URL of the page names
 * the problem, so the page shows only these texts.
 */
const DISPUTE_PROBLEMS: Readonly<Record<string, string>> = {
  signature:
    'The wallet did not sign this message. Sign exactly the message below, and paste the whole signature.',
  signed_at: 'The signature is more than 10 minutes old. Sign the new message below.',
  wallet:
    'The payment challenges of this endpoint do not name this wallet, and did not in the last 90 days. Use its payTo wallet.',
  subject: 'The present verdict does not contain this subject. The recommendation can always be disputed.',
  resource: 'This is not the URL of an endpoint in the catalog.',
  text: 'The text must be one line of plain text without links and addresses.',
  'unknown-resource': 'The catalog has no endpoint with this URL, or it has no verdict yet.',
  'dispute-open':
    'A dispute about this subject is open, or this signature was already used. The page of the endpoint shows the answer.',
  'chain-unavailable': 'The network of the contract wallet cannot be read now. Try again in a minute.',
  'rate-limited':
    'Too many disputes were sent from this address or by this wallet. Try again in ten minutes; a wallet can send 5 disputes in 24 hours.',
};

const OTHER_PROBLEM = 'The dispute could not be stored. Check the values, and try again in a minute.';

/** Returns the text of a problem; null for an empty name. */
export function describeDisputeProblem(name: string): string | null {
  if (name === '') return null;
  return Object.hasOwn(DISPUTE_PROBLEMS, name) ? (DISPUTE_PROBLEMS[name] ?? OTHER_PROBLEM) : OTHER_PROBLEM;
}
