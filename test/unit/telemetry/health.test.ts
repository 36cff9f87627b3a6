import { describe, expect, it } from 'vitest';
import { Liveness } from '../../../src/telemetry/liveness.ts';
import { serve, verdict } from '../../../src/telemetry/server.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';

const stuck = { working: true, oldestWait: 200_000, reconciles: 3 };

describe('liveness', () => {
  it.each([
    { name: 'a standby, whose queue fills', load: { ...stuck, working: false } },
    { name: 'all workers waiting for a slow API', load: { ...stuck, reconciles: 1000 } },
    { name: 'objects that were due a moment ago', load: { ...stuck, oldestWait: 100 } },
  ])('is not lost by $name', async ({ load }) => {
    const clock = new VirtualClock();
    const liveness = new Liveness(clock);
    expect(liveness.problem(load)).toBeUndefined();
    await clock.advance(600_000);
    expect(liveness.problem(load)).toBeUndefined();
  });

  it('is lost when nobody takes what is due, and regained when somebody does', async () => {
    const clock = new VirtualClock();
    const liveness = new Liveness(clock);
    expect(liveness.problem(stuck)).toBeUndefined();
    await clock.advance(121_000);
    expect(liveness.problem(stuck)).toContain('no worker takes them');
    expect(liveness.problem({ ...stuck, oldestWait: 0 })).toBeUndefined();
    expect(liveness.problem(stuck)).toBeUndefined();
  });
});

describe('pages', () => {
  it('answers 200, 503 with every problem, 404, 405 and 500', async () => {
    let problems: (string | undefined)[] = [undefined];
    const server = await serve('127.0.0.1:0', {
      '/readyz': () => verdict(problems),
      '/broken': () => {
        throw new Error('no figures');
      },
    });
    const ask = async (path: string, method = 'GET'): Promise<string> => {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
      return `${response.status} ${(await response.text()).trim()}`;
    };
    try {
      expect(await ask('/readyz?verbose')).toBe('200 ok');
      problems = ['caches are not filled', undefined, 'no lease'];
      expect(await ask('/readyz')).toBe('503 caches are not filled\nno lease');
      expect(await ask('/other')).toBe('404 not found');
      expect(await ask('/readyz', 'POST')).toBe('405 only GET');
      expect(await ask('/broken')).toBe('500 no figures');
    } finally {
      await server.close();
    }
  });

  it('names the address that it cannot have', async () => {
    const taken = await serve('127.0.0.1:0', {});
    await expect(serve(`127.0.0.1:${taken.port}`, {})).rejects.toThrow(`cannot listen on 127.0.0.1:${taken.port}`);
    await taken.close();
  });
});
