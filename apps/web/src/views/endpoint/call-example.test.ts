import { execFileSync } from 'node:child_process';
import type { Snapshot } from '@touchstone/store';
import { describe, expect, it } from 'vitest';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { formatEndpointCurl, formatEndpointFetch } from './call-example.ts';

type Example = NonNullable<Snapshot['exampleRequest']>;

const create = (overrides: Partial<Snapshot>) => createTestSnapshot(overrides);
const withBody = (body: Example['body']) => create({ method: 'POST', exampleRequest: { query: [], body } });

/** Returns the arguments that a shell passes to curl. */
const readArguments = (command: string): readonly string[] =>
  execFileSync('bash', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

describe('formatEndpointCurl', () => {
  it('calls the endpoint with the method that it accepts', () => {
    expect(formatEndpointCurl(create({}))).toBe("curl -i -X GET 'https://api.example.com/weather'");
    expect(formatEndpointCurl({ ...withBody({ type: 'json', value: 1 }), method: null })).toContain(
      '-X POST',
    );
  });

  it('adds the query parameters that the URL lacks', () => {
    const exampleRequest: Example = {
      query: [
        ['city', 'Oslo'],
        ['q', "it's & co"],
      ],
      body: null,
    };
    const resource = 'https://api.example.com/weather?city=Paris';
    expect(readArguments(formatEndpointCurl(create({ resource, exampleRequest }))).at(-1)).toBe(
      `${resource}&q=it%27s+%26+co`,
    );
  });

  it('does not expand the placeholders of a template', () => {
    const resource = 'https://api.example.com/{city}';
    expect(formatEndpointCurl(create({ resource }))).toContain(`--globoff -X GET '${resource}'`);
  });

  it.each([
    [{ type: 'json', value: { say: "it's", code: '\u001b[31m\u202e' } }, '--data-raw'],
    [{ type: 'text', value: '@/etc/passwd' }, '--data-raw'],
    [{ type: 'form-data', value: { file: '@/etc/passwd', nested: {} } }, '--form-string'],
  ] as const)('passes the untrusted body %j literally, in printable ASCII', (body, option) => {
    const command = formatEndpointCurl(withBody(body));
    expect(command).toMatch(/^[\x20-\x7e\n]*$/);
    const words = readArguments(command);
    const sent = words[words.indexOf(option) + 1] ?? '';
    if (body.type === 'json') expect(JSON.parse(sent)).toEqual(body.value);
    else expect(sent).toMatch(/^(?:file=)?@\/etc\/passwd$/);
  });
});

it.each([
  [{ type: 'json', value: { a: ['\u2028'] } }, 'body: JSON.stringify({"a":["\\u2028"]}),'],
  [{ type: 'text', value: 'hello' }, 'body: "hello",'],
  [{ type: 'form-data', value: { a: 1 } }, 'body: [["a","1"]].reduce('],
] as const)('formatEndpointFetch sends the body %j', (body, line) => {
  expect(formatEndpointFetch(withBody(body))).toContain(line);
});
