import { describe, expect, it } from 'vitest';
import { judgePause, parsePause, type PauseFacts } from '../../../src/engine/model/pause.ts';

const at = (time: string): number => Date.parse(time);
const now = at('2030-01-01T00:00:00Z');
const judge = (facts: Partial<PauseFacts>) =>
  judgePause({ pause: undefined, resume: undefined, paused: undefined, resumed: undefined, now, ...facts });

describe('what annotation pause asks for', () => {
  it.each([undefined, 'false'])('%s: nothing', (text) => expect(parsePause(text)).toEqual({ is: 'none' }));
  it.each(['true', '', 'yes', 'migration', 'False'])('%s: a pause without an end', (text) =>
    expect(parsePause(text)).toEqual({ is: 'open' }),
  );
  it('a reason may stand alone', () => expect(parsePause('reason=moving; by hand')).toEqual({ is: 'open', reason: 'moving; by hand' }));
  it.each([
    ['until=2030-02-01T10:00:00Z', { until: '2030-02-01T10:00:00Z' }],
    ['until=2030-02-01T10:00Z', { until: '2030-02-01T10:00:00Z' }],
    ['until=2030-02-01T10:00:00.500Z', { until: '2030-02-01T10:00:00Z' }],
    [' until = 2030-02-01T12:00:00+02:00 ; reason = db; move=1 ', { until: '2030-02-01T10:00:00Z', reason: 'db; move=1' }],
    ['until=2030-02-01T10:00:00Z;reason=', { until: '2030-02-01T10:00:00Z' }],
  ])('%s names an end', (text, wish) => expect(parsePause(text)).toEqual({ is: 'until', ...wish }));
  it.each([
    'until=',
    'until=tomorrow',
    'until=2030-02-01',
    'until=2030-02-01T10:00:00',
    'until=2030-02-30T10:00:00Z',
    'until=2030-13-01T10:00:00Z',
    'until=1900000000',
    'until=2030-02-01T10:00:00Z;because',
    'reason=move;until=2030-02-01T10:00:00Z',
  ])('%s names no end, and pauses all the same', (text) => {
    const wish = parsePause(text);
    expect(wish).toMatchObject({ is: 'open', problem: expect.stringContaining(text.slice(0, 100)) });
  });
});

describe('a pause', () => {
  const pause = 'until=2030-01-01T01:00:00Z;reason=move';
  const noted = { until: '2030-01-01T01:00:00Z', reason: 'move', by: 'kubectl-annotate', at: '2029-12-31T23:00:00Z' };

  it('without an end lasts as long as its annotation, and is noted nowhere', () => {
    expect(judge({ pause: 'true' })).toMatchObject({ message: expect.stringContaining('until it is removed'), paused: undefined });
    expect(judge({})).toEqual({ paused: undefined, resumed: undefined, isNew: false });
  });
  it('whose end cannot be read says so, and lasts as long as its annotation', () => {
    expect(judge({ pause: 'until=tomorrow' }).message).toMatch(/"until=tomorrow".*until=2030-01-31T18:00:00Z/);
  });
  it('with an end is noted when it is seen', () => {
    const { at: _, by: __, ...rest } = noted;
    expect(judge({ pause })).toEqual({
      message: expect.stringMatching(/^paused until 2030-01-01T01:00:00Z \("move"\)/),
      ends: at('2030-01-01T01:00:00Z'),
      paused: { ...rest, at: '2030-01-01T00:00:00Z' },
      resumed: undefined,
      isNew: true,
    });
  });
  it.each([pause, undefined, 'false', 'until=2029-01-01T00:00:00Z'])(
    'that was noted lasts until then while its annotation is %s',
    (text) => {
      expect(judge({ pause: text, paused: noted })).toMatchObject({ ends: at(noted.until), paused: noted, isNew: false });
      expect(judge({ pause: text, paused: noted, now: at(noted.until) })).toEqual({ paused: undefined, resumed: undefined, isNew: false });
    },
  );
  it.each(['until=2030-01-01T02:00:00Z', 'until=2030-01-01T00:30:00Z'])('is changed by another end: %s', (text) => {
    expect(judge({ pause: text, paused: noted })).toMatchObject({ paused: { until: text.slice(6) }, isNew: true });
  });
  it('ends with a new value of annotation resume, though its own annotation is still there', () => {
    const ended = judge({ pause, resume: 'now', paused: noted });
    expect(ended).toEqual({ paused: undefined, resumed: { value: 'now', pause }, isNew: false });
    expect(judge({ pause, resume: 'now', paused: undefined, resumed: ended.resumed })).toEqual(ended);
    expect(judge({ pause, paused: undefined, resumed: ended.resumed })).toEqual(ended);
  });
  it('may be asked for again once the one that was ended is not written there any more', () => {
    const { resumed } = judge({ resume: 'now', paused: noted });
    expect(resumed).toEqual({ value: 'now' });
    expect(judge({ pause, resume: 'now', resumed })).toMatchObject({ isNew: true, paused: { until: noted.until } });
    expect(judge({ pause: `${pause} again`, resume: 'now', resumed: { value: 'now', pause } })).toMatchObject({ isNew: true });
  });
  it('is not ended by a resume that was acted on before', () => {
    expect(judge({ pause, resume: 'old', paused: noted, resumed: { value: 'old' } })).toMatchObject({ paused: noted });
  });
  it('that comes together with a resume holds: which was first cannot be known', () => {
    expect(judge({ pause, resume: 'now' })).toMatchObject({ isNew: true, resumed: { value: 'now' } });
  });
  it('without an end is not ended by resume', () => {
    expect(judge({ pause: 'true', resume: 'now' }).message).toContain('until it is removed');
  });
});
