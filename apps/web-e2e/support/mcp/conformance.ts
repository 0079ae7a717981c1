import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const MAX_DURATION_MS = 80_000;

const checksSchema = z.array(
  z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }),
);

/** Results of the conformance suite by scenario. */
export interface Conformance {
  readonly passed: readonly string[];
  /** Failures and warnings, as `<id of the check>: <message>`. */
  readonly failed: Readonly<Record<string, readonly string[]>>;
}

/** Runs all server scenarios of the official conformance suite of MCP against a URL. */
export async function runConformance(url: string): Promise<Conformance> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-conformance-'));
  try {
    const output = await runSuite(['server', '--url', url, '--suite', 'all', '--output-dir', folder]);
    const results = readdirSync(folder).map(
      (name) => [toScenario(name), readFailures(folder, name)] as const,
    );
    if (results.length === 0) throw new Error(`The conformance suite wrote no results:\n${output}`);
    return {
      passed: results.flatMap(([scenario, failures]) => (failures.length === 0 ? [scenario] : [])),
      failed: Object.fromEntries(results.filter(([, failures]) => failures.length > 0)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the scenario of a result folder, such as `server-ping-2026-11-23T04-26-30-123Z`. */
const toScenario = (folder: string): string => folder.replace(/^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/, '$1');

function readFailures(folder: string, name: string): string[] {
  const checks = checksSchema.parse(JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')));
  // A scenario without a check has tested nothing, so the scenario counts as failed.
  if (checks.length === 0) return ['no checks: the scenario has no results'];
  return checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ id, errorMessage = 'no message' }) => `${id}: ${errorMessage}`);
}

/** Runs the suite and returns its output. Its exit code is ignored, because many scenarios are expected to fail. */
function runSuite(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { timeout: MAX_DURATION_MS, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [SUITE, ...args], options, (_error, stdout, stderr) => {
      resolve(`${stdout}${stderr}`);
    });
  });
}
