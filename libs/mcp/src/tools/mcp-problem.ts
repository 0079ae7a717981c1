import { PAYMENT_META, summarizeMistakes, type Problem } from '@touchstone/contract';

/** Returns a problem of the API without the names of HTTP headers in its detail: an MCP client cannot send headers. */
export function toMcpProblem(problem: Problem): Problem {
  switch (problem.code) {
    case 'unauthorized':
      return { ...problem, detail: 'No watch has this `id` and this `secret`.' };
    case 'invalid-payment': {
      const mistakes = summarizeMistakes(problem.errors ?? []);
      return {
        ...problem,
        detail: `The payment in \`_meta["${PAYMENT_META}"]\` is not valid. ${mistakes}`,
      };
    }
    default:
      return problem;
  }
}
