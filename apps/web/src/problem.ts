/** An error as RFC 9457 has it; `code` is a stable slug. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
}

/** Answers with a problem. Its type is `about:blank`, so the title is what the status says. */
export function problemResponse(
  { status, code, title, detail }: Problem,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const response = Response.json({ type: 'about:blank', title, status, detail, code }, { status, headers });
  response.headers.set('content-type', 'application/problem+json');
  response.headers.set('cache-control', 'no-store');
  return response;
}
