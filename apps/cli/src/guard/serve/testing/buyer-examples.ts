import { text } from 'node:stream/consumers';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signPayment } from './sign-payment.ts';
import { startServer } from '../../../testing/serve.ts';

const DOCUMENT = new URL('../../../../../../docs/guard.md', import.meta.url);
/** Programs that call the examples. They sign at a server, as a program with the x402 library of its language would. */
const PYTHON_MAIN = `import sys, urllib.request, buyer
buyer.GUARD, url, signer = sys.argv[1:]
def sign(terms):
    return urllib.request.urlopen(signer, terms.encode()).read().decode()
print(buyer.buy(url, sign).decode())
`;

const GO_MAIN = `package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	guard = os.Args[1]
	body, err := buy(os.Args[2], func(terms string) (string, error) {
		response, err := http.Post(os.Args[3], "text/plain", strings.NewReader(terms))
		if err != nil {
			return "", err
		}
		payment, err := io.ReadAll(response.Body)
		return string(payment), err
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(string(body))
}
`;

const LANGUAGES = {
  python: {
    files: { 'buyer.py': null, 'main.py': PYTHON_MAIN },
    command: ['python3', 'main.py'],
    version: '--version',
  },
  go: {
    files: { 'buyer.go': null, 'main.go': GO_MAIN },
    command: ['go', 'run', 'buyer.go', 'main.go'],
    version: 'version',
  },
} as const;
type Language = keyof typeof LANGUAGES;

/** Returns true if the language is installed. Prints the reason why its tests are skipped. */
export function hasLanguage(language: Language): boolean {
  const { command, version } = LANGUAGES[language];
  if (spawnSync(command[0], [version]).status === 0) return true;
  process.stderr.write(`${command[0]} is not installed, so the example in ${language} is not tested.\n`);
  return false;
}

/** Program that buys through `touchstone guard serve`: the example of a language in `docs/guard.md`. */
export interface BuyerExample {
  /** Buys a URL. Resolves to the output, or to the error of the program. */
  readonly buy: (guard: string, url: string) => Promise<string>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Writes the example of a language, and a program that calls it, to a new folder. */
export async function openBuyerExample(language: Language): Promise<BuyerExample> {
  const pattern = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``);
  const [, example] = pattern.exec(readFileSync(DOCUMENT, 'utf8')) ?? [];
  if (example === undefined) throw new Error(`docs/guard.md has no example in ${language}`);
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-buyer-'));
  const { files, command } = LANGUAGES[language];
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text ?? example);
  const [program, ...args] = command;
  const signer = await startServer((request, response) => {
    void text(request)
      .then(signPayment)
      .then((payment) => response.end(payment));
  });
  return {
    buy: async (guard, url) => {
      const all = [...args, guard, url, `http://127.0.0.1:${String(signer.port)}`];
      try {
        return (await promisify(execFile)(program, all, { cwd: folder })).stdout.trim();
      } catch (error) {
        // A program that ends with an error code rejects with its output.
        return String((error as { readonly stderr?: string }).stderr);
      }
    },
    [Symbol.asyncDispose]: async () => {
      await signer[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
