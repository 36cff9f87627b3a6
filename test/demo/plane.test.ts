import { expect, it } from 'vitest';
import type { ControlPlane } from '../controlplane/control-plane.ts';
import { realOrMemory, type Sources } from './plane.ts';

const plane = (name: string): ControlPlane => ({ name }) as unknown as ControlPlane;
const nowhere: Sources = {
  real: () => Promise.reject(new Error('no kube-apiserver, no Go, no Docker, and nothing can be downloaded')),
  memory: () => Promise.resolve(plane('in memory')),
};

function heard(): { readonly lines: string[]; say(line: string): void } {
  const lines: string[] = [];
  return { lines, say: (line) => void lines.push(line) };
}

it('where no real control plane can be had, the demo runs in memory, and says why and what that is', async () => {
  const narrator = heard();
  expect(await realOrMemory(narrator, false, nowhere)).toEqual(plane('in memory'));
  const said = narrator.lines.join('\n');
  expect(said).toContain('NO REAL CONTROL PLANE CAN BE HAD HERE: no kube-apiserver, no Go, no Docker');
  expect(said).toContain('THIS IS NOT A REAL KUBERNETES');
});

it('what shall go on running is not put in the memory of a process that ends', async () => {
  const narrator = heard();
  await expect(realOrMemory(narrator, true, nowhere)).rejects.toThrow('no kube-apiserver');
  expect(narrator.lines).toEqual([]);
});

it('a real one is taken wherever there is one, and nothing is said of memory', async () => {
  const narrator = heard();
  expect(await realOrMemory(narrator, false, { ...nowhere, real: () => Promise.resolve(plane('real')) })).toEqual(plane('real'));
  expect(narrator.lines).toEqual([]);
});
