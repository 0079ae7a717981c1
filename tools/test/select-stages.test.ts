import { describe, expect, it } from 'vitest';
import { selectStages } from './select-stages.ts';
import { stages } from './stages.ts';

const selectNames = (...args: string[]): readonly string[] => {
  const selection = selectStages(args, stages);
  if (!selection.ok) throw new Error(selection.message);
  return [...selection.names];
};

describe('selectStages', () => {
  it('selects all stages without arguments', () => {
    expect(selectNames()).toEqual([
      'types',
      'lint',
      'build',
      'browser',
      'postgres',
      'format',
      'database-types',
      'knip',
      'unit',
    ]);
  });

  it.each([[['unit']], [['--only=unit']], [['unit', 'unit']]])('selects one stage: %j', (args) => {
    expect(selectNames(...args)).toEqual(['unit']);
  });

  it.each([[['lint', 'unit']], [['--only=lint,unit']], [['lint', '--only=unit']]])(
    'selects several stages: %j',
    (args) => {
      expect(selectNames(...args)).toEqual(['lint', 'unit']);
    },
  );

  it('adds the stages that a selected one needs', () => {
    expect(selectNames('browser')).toEqual(['browser', 'build']);
  });

  it.each([
    [['units'], 'Unknown stage: units. The stages are: types, '],
    [['--watch'], 'Unknown stage: --watch.'],
    [['--only='], 'No stage was given.'],
  ])('rejects %j', (args, message) => {
    const selection = selectStages(args, stages);
    expect(selection).toMatchObject({ ok: false, message: expect.stringContaining(message) as string });
  });
});
