import { expect, it } from 'vitest';
import type { ControlPlane } from '../controlplane/control-plane.ts';
import { ToolsMissing } from '../controlplane/programs/finder.ts';
import { openPlane, type Sources } from './plane.ts';

const plane = (name: string): ControlPlane => ({ name }) as unknown as ControlPlane;

/** A machine without any program: what must be built is built where that is allowed. */
function machine(): Sources & { readonly built: boolean[] } {
  const built: boolean[] = [];
  return {
    built,
    real: (_narrator, build) => {
      built.push(build);
      return build ? Promise.resolve(plane('built')) : Promise.reject(new ToolsMissing(['etcd', 'kubectl'], ['cache: nothing there yet']));
    },
    memory: () => Promise.resolve(plane('in memory')),
  };
}

function heard(): { readonly lines: string[]; say(line: string): void } {
  const lines: string[] = [];
  return { lines, say: (line) => void lines.push(line) };
}

it('nothing is compiled unless it is asked for: the demo runs in memory, says what that is and how to get the other', async () => {
  const narrator = heard();
  const bare = machine();
  expect(await openPlane(narrator, 'auto', bare)).toEqual(plane('in memory'));
  expect(bare.built).toEqual([false]);
  const said = narrator.lines.join('\n');
  expect(said).toContain('No real control plane is at hand: etcd, kubectl not found.');
  expect(said).toContain('THIS IS NOT A REAL KUBERNETES');
  expect(said).toContain('npm run demo -- --control-plane real');
});

it('a real one that was asked for is built, and nothing else stands in for it', async () => {
  const narrator = heard();
  expect(await openPlane(narrator, 'real', machine())).toEqual(plane('built'));
  expect(narrator.lines).toEqual([]);
  const broken: Sources = { ...machine(), real: () => Promise.reject(new Error('no Go, no Docker')) };
  await expect(openPlane(narrator, 'real', broken)).rejects.toThrow('no Go, no Docker');
});

it('a real one that is there is taken, and nothing is said of memory', async () => {
  const narrator = heard();
  expect(await openPlane(narrator, 'auto', { ...machine(), real: () => Promise.resolve(plane('cached')) })).toEqual(plane('cached'));
  expect(narrator.lines).toEqual([]);
});

it('one that is there and does not start is told whole', async () => {
  const narrator = heard();
  const broken: Sources = { ...machine(), real: () => Promise.reject(new Error('etcd ended\nits log: disk full')) };
  expect(await openPlane(narrator, 'auto', broken)).toEqual(plane('in memory'));
  expect(narrator.lines.join('\n')).toContain('its log: disk full');
});
