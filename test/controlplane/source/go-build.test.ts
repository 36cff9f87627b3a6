import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import type { RunCommand } from '../command.ts';
import { findHelm } from '../programs/helm.ts';
import { findPrometheus } from '../programs/prometheus.ts';
import { cacheFolder, versionFolder } from '../programs/machine.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';
import { installProgram, madeUpMachine } from '../programs/made-up-machine.ts';
import { buildWithGo } from '../programs/go-program.ts';
import { pinned, TOOLS } from '../programs/pinned.ts';
import { goBuild } from './go-build.ts';

const FAILED = { code: 1, stdout: '', stderr: 'go: downloading x v1\n# k8s.io/kubernetes/cmd/x\nlink: no space left on device\n' };

const helmOf = (version: string) => (file: string) => (file.endsWith('helm') ? { stdout: `v${version}+g0` } : undefined);

/** A `go` that writes the program it is asked for, or fails for the packages that `broken` matches. */
function fakeGo(broken = /^$/): RunCommand {
  return async (file, args, options) => {
    if (file !== 'go') return { code: -1, stdout: '', stderr: '' };
    if (broken.test(args.at(-1) ?? '')) return FAILED;
    if (args[0] === 'build') await installProgram(join(args[args.indexOf('-o') + 1] ?? '', 'server'));
    if (args[0] === 'install') await installProgram(join(options?.env?.['GOBIN'] ?? '', 'program'));
    return { code: 0, stdout: '', stderr: '' };
  };
}

describe('the Go build', () => {
  it('puts every missing program into the cache under its own name, and leaves nothing else there', async () => {
    const machine = await madeUpMachine({ run: fakeGo(), clock: systemClock });
    const offer = await goBuild.find(TOOLS, machine);
    const folder = versionFolder(machine, pinned.kubernetes);
    expect(Object.keys(offer.tools)).toEqual([...TOOLS]);
    expect((await readdir(folder)).toSorted()).toEqual([...TOOLS].toSorted());
    expect(await readdir(join(folder, '..'))).toEqual([`${pinned.kubernetes}-linux-amd64`]);
    expect(machine.lines.at(-1)).toMatch(/^Built kubectl 1\.36\.3 \(4 of 4\) in \d+ s$/);
  });

  it('builds only what is not there, and removes what a killed build left', async () => {
    const machine = await madeUpMachine({ run: fakeGo(), clock: systemClock });
    const folder = versionFolder(machine, pinned.kubernetes);
    await installProgram(join(folder, 'etcd'));
    await installProgram(join(folder, '.building-1-kubectl', 'kubectl'));
    await goBuild.find(['etcd', 'kubectl'], machine);
    expect((await readdir(folder)).toSorted()).toEqual(['etcd', 'kubectl']);
    expect(machine.lines.filter((line) => line.startsWith('Built'))).toHaveLength(1);
  });

  it('goes on without the controller manager when only that one does not build', async () => {
    const machine = await madeUpMachine({ run: fakeGo(/controller-manager/), clock: systemClock });
    const offer = await goBuild.find(TOOLS, machine);
    expect(Object.keys(offer.tools)).toEqual(['etcd', 'kube-apiserver', 'kubectl']);
    expect(offer.reason).toContain('no space left on device');
  });

  it('reports the end of Go’s own output when a needed program does not build', async () => {
    const machine = await madeUpMachine({ run: fakeGo(/etcd/), clock: systemClock });
    const offer = await goBuild.find(TOOLS, machine);
    expect(offer.tools).toEqual({});
    expect(offer.reason).toMatch(/^go could not build etcd: .*no space left on device/s);
  });

  it('says how far it is every three seconds', async () => {
    const clock = new VirtualClock();
    const finish = Promise.withResolvers<void>();
    const base = await madeUpMachine({ clock });
    const run: RunCommand = async (_file, args, options) => {
      options?.onLine?.('go: downloading k8s.io/api v0.36.3');
      options?.onLine?.('k8s.io/api/core/v1');
      options?.onLine?.('runtime/cgo');
      await finish.promise;
      await writeFile(join(args[0] ?? '', 'etcd'), '');
      return { code: 0, stdout: '', stderr: '' };
    };
    const target = join(base.home, 'etcd');
    const building = buildWithGo({ title: 'etcd 3.6.14', target, cwd: base.home, args: (folder) => [folder] }, { ...base, run });
    await expect.poll(() => base.lines.length).toBe(1);
    await clock.advance(6_500);
    finish.resolve();
    await building;
    expect(base.lines).toEqual([
      'Building etcd 3.6.14 with Go ...',
      'Building etcd 3.6.14: 3 s, 1 modules fetched, 2 packages compiled',
      'Building etcd 3.6.14: 6 s, 1 modules fetched, 2 packages compiled',
      'Built etcd 3.6.14 in 7 s, 1 modules fetched, 2 packages compiled',
    ]);
  });
});

describe('helm', () => {
  it('is the variable HELM, if that is 3 or later', async () => {
    expect(await findHelm(await madeUpMachine({ env: { HELM: '/my/helm' }, programs: helmOf('3.14.0') }))).toBe('/my/helm');
    const old = await madeUpMachine({ env: { HELM: '/my/helm' }, programs: helmOf('2.17.0') });
    await expect(findHelm(old)).rejects.toThrow('HELM=/my/helm is no Helm 3 or later');
  });

  it('is the one in PATH next, then the cached one', async () => {
    expect(await findHelm(await madeUpMachine({ programs: helmOf('4.0.1') }))).toBe('helm');
    const machine = await madeUpMachine({ programs: helmOf('2.17.0') });
    const own = await installProgram(join(cacheFolder(machine), 'helm', `${pinned.helm}-linux-amd64`, 'helm'));
    expect(await findHelm(machine)).toBe(own);
  });

  it('is built at last, or the message says what to install', async () => {
    const machine = await madeUpMachine({ run: fakeGo(), clock: systemClock });
    expect(await findHelm(machine)).toBe(join(cacheFolder(machine), 'helm', `${pinned.helm}-linux-amd64`, 'helm'));
    await expect(findHelm(await madeUpMachine({ clock: systemClock }))).rejects.toThrow(/install Helm 3 or later .* or Go/);
  });
});

describe('Prometheus', () => {
  const names = ['promtool', 'prometheus'];
  it('is the one in PATH, if both of its programs are there', async () => {
    const both = await madeUpMachine({ programs: (file) => (names.includes(file) ? {} : undefined) });
    expect(await findPrometheus(both)).toEqual({ promtool: 'promtool', prometheus: 'prometheus' });
    const one = await madeUpMachine({ programs: (file) => (file === 'promtool' ? {} : undefined), clock: systemClock });
    await expect(findPrometheus(one)).rejects.toThrow(/install Prometheus .* or Go/);
  });

  it('is built once, what lacks of it, and then the cached one', async () => {
    const machine = await madeUpMachine({ run: fakeGo(), clock: systemClock });
    const folder = join(cacheFolder(machine), 'prometheus', `${pinned.prometheus}-linux-amd64`);
    await installProgram(join(folder, 'promtool'));
    const own = { promtool: join(folder, 'promtool'), prometheus: join(folder, 'prometheus') };
    expect(await findPrometheus(machine)).toEqual(own);
    expect(await findPrometheus(machine)).toEqual(own);
    expect(machine.lines.filter((line) => line.startsWith('Built'))).toEqual([expect.stringContaining('Built prometheus')]);
    expect((await readdir(folder)).toSorted()).toEqual(names.toSorted());
  });
});
