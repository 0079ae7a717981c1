import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runInProcess } from '../testing/run-in-process.ts';
import { createSavedResponse } from '../testing/saved-response.ts';

const URL = 'https://api.example.com/v1/weather';
const text = z.object({ text: z.string().min(1) });
const level = z.enum(['error', 'warning', 'note']);

/**
 * Members that code scanning of GitHub requires, and members of the SARIF 2.1.0 schema that this log has. Source:
 * docs.github.com, "SARIF support for code scanning".
 */
const logSchema = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z.tuple([
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.literal('touchstone'),
          semanticVersion: z.string().regex(/^\d+\.\d+\.\d+/),
          rules: z.array(
            z.strictObject({
              id: z.string().max(255),
              ...{ shortDescription: text, fullDescription: text },
              help: z.strictObject({ text: z.string().min(1), markdown: z.string().min(1) }),
              defaultConfiguration: z.strictObject({ level }),
              properties: z.strictObject({ tags: z.array(z.string()) }),
            }),
          ),
        }),
      }),
      results: z.array(
        z.strictObject({
          ruleId: z.string(),
          ruleIndex: z.int().min(0),
          level,
          message: text,
          locations: z.tuple([
            z.strictObject({
              physicalLocation: z.strictObject({
                // GitHub rejects the whole log for a scheme such as https.
                artifactLocation: z.strictObject({ uri: z.string().regex(/^(?![a-z][a-z\d+.-]*:|\/)./i) }),
                region: z.strictObject({ startLine: z.int().min(1) }),
              }),
            }),
          ]),
          partialFingerprints: z
            .strictObject({ primaryLocationLineHash: z.string().regex(/^[\da-f]{16}:1$/) })
            .optional(),
          properties: z.strictObject({ url: z.string() }),
        }),
      ),
    }),
  ]),
});

async function lintToSarif(file: string, stdin: string) {
  const { code, stdout } = await runInProcess(['lint', '--sarif', '--file', file], stdin);
  return { code, run: logSchema.parse(JSON.parse(stdout)).runs[0] };
}

describe('--sarif', () => {
  it('prints one run with the failed checks of all responses, and the rules of these checks', async () => {
    const responses = [
      createSavedResponse({}, { network: 'base' }),
      createSavedResponse({}, { amount: '2000000' }),
    ];
    const { code, run } = await lintToSarif('-', responses.map((each) => JSON.stringify(each)).join('\n'));
    expect(code).toBe(1);
    const { rules } = run.tool.driver;
    for (const { ruleId, ruleIndex } of run.results) expect(rules[ruleIndex]?.id).toBe(ruleId);
    expect(rules.map(({ id }) => id).sort()).toEqual(
      [...new Set(run.results.map(({ ruleId }) => ruleId))].sort(),
    );
    const [result] = run.results.filter(({ ruleId }) => ruleId === 'v2-network-not-v1-name');
    expect(result).toMatchObject({
      level: 'error',
      message: { text: expect.stringMatching(/^network is "base".+ Fix: .+\.$/) as unknown },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'api.example.com/v1/weather' },
            region: { startLine: 1 },
          },
        },
      ],
      properties: { url: URL },
    });
    const fingerprints = run.results.map((each) => each.partialFingerprints?.primaryLocationLineHash);
    expect(new Set(fingerprints).size).toBe(rules.length);
    expect(new Set(run.results.map((each) => each.level))).toEqual(new Set(['error', 'warning', 'note']));
  });

  it.each([
    ['https://api.example.com:8443/a:b?c=d#e', 'api.example.com_8443/a:b'],
    ['https://[2001:db8::1]/', '%5B2001%3Adb8%3A%3A1%5D/'],
    ['C:/no/URL', 'C%3A%2Fno%2FURL'],
    ['/v1/weather', '%2Fv1%2Fweather'],
  ])('locates the response of %s without a scheme', async (url, uri) => {
    const { run } = await lintToSarif('-', JSON.stringify(createSavedResponse({ url, status: 404 })));
    expect(run.results[0]?.locations[0].physicalLocation.artifactLocation.uri).toBe(uri);
  });

  it('locates a saved response by its file and line', async () => {
    const file = `${mkdtempSync(join(tmpdir(), 'touchstone-sarif-'))}/saved responses.jsonl`;
    const good = JSON.stringify(createSavedResponse());
    writeFileSync(
      file,
      `${good}\n${JSON.stringify(createSavedResponse({ url: 'no URL', status: 404, headers: {} }))}\n`,
    );
    const { run } = await lintToSarif(file, '');
    expect(run.results.find(({ ruleId }) => ruleId === 'http-status-402')?.locations[0]).toEqual({
      physicalLocation: {
        artifactLocation: { uri: encodeURI(relative('', file)) },
        region: { startLine: 2 },
      },
    });
  });

  it('excludes the other formats', async () => {
    const { code, stderr } = await runInProcess(['lint', '--sarif', '--json', URL]);
    expect(code).toBe(2);
    expect(stderr).toContain("'--sarif' cannot be used with option '--json'");
  });
});
