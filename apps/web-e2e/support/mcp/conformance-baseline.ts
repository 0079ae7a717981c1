import { expect } from 'vitest';
import type { Conformance } from './conformance.ts';

/** Scenarios that every MCP server must pass. */
const APPLICABLE = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

/** Error for a missing tool, prompt or resource. Only the example server of the conformance suite has it. */
const NO_FIXTURE = /(?:Tool|Prompt) '?\w+'? not found|Resource not found: test:/;
/**
 * Error for an optional capability that this server does not have. The server sends no log messages, and its resources
 * do not change.
 */
const NO_CAPABILITY = /MCP error -32601: Method not found/;
/** Failed checks of MCP sessions. The server has no sessions, so its streams cannot be resumed. */
const NO_SESSION = /^server-sse-(?:polling-session|priming-event|retry-field|multiple-streams-session): /;

/**
 * Scenarios that are expected to fail. The value is a pattern that matches every failure and warning of the scenario.
 */
const EXPECTED_FAILURES: Readonly<Record<string, RegExp>> = {
  'completion-complete': NO_FIXTURE,
  'elicitation-sep1034-defaults': NO_FIXTURE,
  'elicitation-sep1330-enums': NO_FIXTURE,
  'json-schema-2020-12': NO_FIXTURE,
  'prompts-get-embedded-resource': NO_FIXTURE,
  'prompts-get-simple': NO_FIXTURE,
  'prompts-get-with-args': NO_FIXTURE,
  'prompts-get-with-image': NO_FIXTURE,
  'resources-read-binary': NO_FIXTURE,
  'resources-read-text': NO_FIXTURE,
  'resources-templates-read': NO_FIXTURE,
  'tools-call-audio': NO_FIXTURE,
  'tools-call-elicitation': NO_FIXTURE,
  'tools-call-embedded-resource': NO_FIXTURE,
  'tools-call-error': NO_FIXTURE,
  'tools-call-image': NO_FIXTURE,
  'tools-call-mixed-content': NO_FIXTURE,
  'tools-call-sampling': NO_FIXTURE,
  'tools-call-simple-text': NO_FIXTURE,
  'tools-call-with-progress': NO_FIXTURE,
  'logging-set-level': NO_CAPABILITY,
  'resources-subscribe': NO_CAPABILITY,
  'resources-unsubscribe': NO_CAPABILITY,
  'tools-call-with-logging': NO_CAPABILITY,
  'server-sse-multiple-streams': NO_SESSION,
  'server-sse-polling': NO_SESSION,
};

/**
 * Compares results with the baseline. Fails for a new failure, for a failure with another reason, and for an expected
 * failure that did not occur.
 */
export function expectConformance({ passed, failed }: Conformance): void {
  expect(passed.toSorted()).toEqual(APPLICABLE.toSorted());
  for (const [scenario, reason] of Object.entries(EXPECTED_FAILURES)) {
    const failures = failed[scenario] ?? [];
    expect([scenario, failures.length > 0, failures.filter((failure) => !reason.test(failure))]).toEqual([
      ...[scenario, true],
      [],
    ]);
  }
  expect(Object.keys(failed).toSorted()).toEqual(Object.keys(EXPECTED_FAILURES).toSorted());
}
