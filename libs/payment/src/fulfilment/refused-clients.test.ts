import { expect, test } from 'vitest';
import { createRefusedClients } from './refused-clients.ts';

const createClients = () => {
  const clock = { now: 0 };
  return { clock, clients: createRefusedClients(() => clock.now) };
};

test('a client is stored for a minute after its last refusal', () => {
  const { clock, clients } = createClients();
  clients.add('192.0.2.1');
  clock.now += 50_000;
  clients.add('192.0.2.1');
  clock.now += 59_999;
  expect([clients.has('192.0.2.1'), clients.has('192.0.2.2')]).toEqual([true, false]);
  clock.now += 1;
  expect(clients.has('192.0.2.1')).toBe(false);
});

test('of more than 10,000 clients, the one with the oldest refusal is deleted', () => {
  const { clients } = createClients();
  for (let client = 0; client < 10_000; client += 1) clients.add(String(client));
  clients.add('0');
  clients.add('other');
  expect(['0', '1', '2', 'other'].map((client) => clients.has(client))).toEqual([true, false, true, true]);
});
