import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { extractText } from '../testing/html-text.ts';
import { CommandFolder } from './command-folder.tsx';

const LOCAL = 'http://localhost:3000';
const read = (baseUrl: string) =>
  extractText(renderToStaticMarkup(<CommandFolder baseUrl={baseUrl} />)).trim();

afterEach(() => vi.unstubAllEnvs());

it('names the folder of a clone, and no folder for a public service', () => {
  vi.stubEnv('SANDBOX_FILE', '/home/one/touchstone/.touchstone/sandbox.json');
  expect(read(LOCAL)).toBe('Run it in the folder of this repository.');
  expect(read('https://touchstone.example')).toBe('');
});

it('names a data folder that the command line does not find by itself', () => {
  vi.stubEnv('SANDBOX_FILE', "/data/it's/sandbox.json");
  expect(read(LOCAL)).toBe(`Run it in the folder of this repository, after export DATA_DIR='/data/it'\\''s'`);
});
