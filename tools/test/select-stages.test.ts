import { describe, expect, it } from 'vitest';
import { selectStages } from './select-stages.ts';
import { stages } from './stages.ts';

const namesOf = (...args: string[]): readonly string[] => {
  const selection = selectStages(args, stages);
  if (!selection.ok) throw new Error(selection.message);
  return [...selection.names];
};

describe('selectStages', () => {
  it('takes all of them when none is named', () => {
    expect(namesOf()).toEqual([
      'lint',
      'format',
      'types',
      'database-types',
      'knip',
      'unit',
      'build',
      'browser',
    ]);
  });

  it.each([[['unit']], [['--only=unit']], [['unit', 'unit']]])('takes the one that is named: %j', (args) => {
    expect(namesOf(...args)).toEqual(['unit']);
  });

  it.each([[['lint', 'unit']], [['--only=lint,unit']], [['lint', '--only=unit']]])(
    'takes several: %j',
    (args) => {
      expect(namesOf(...args)).toEqual(['lint', 'unit']);
    },
  );

  it('adds what a stage cannot do without', () => {
    expect(namesOf('browser')).toEqual(['browser', 'build']);
  });

  it.each([
    [['units'], 'There is no stage units. The stages are: lint, '],
    [['--watch'], 'There is no stage --watch.'],
    [['--only='], 'No stage is named.'],
  ])('refuses %j', (args, message) => {
    const selection = selectStages(args, stages);
    expect(selection).toMatchObject({ ok: false, message: expect.stringContaining(message) as string });
  });
});
