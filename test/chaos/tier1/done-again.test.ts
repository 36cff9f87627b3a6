import { expect, it } from 'vitest';
import type { LedgerObject } from '../../support/process/emulator-program.ts';
import { doneAgain, keysOf } from './account-picture.ts';

const event = (key: number, action: string): LedgerObject => ({
  collection: 'events',
  key,
  bornAt: key,
  bornBy: 'admin',
  origin: 'call',
  row: { action },
  changes: [],
});
const reboot = { kind: 'CloudOperation', name: 'reboot-web', spec: { action: 'RebootInstance' } };
const before = keysOf([event(1, 'vm_reboot')]);

it('a second event of what is done once is told, and nothing else is', () => {
  const once = [event(1, 'vm_reboot'), event(2, 'vm_reboot'), event(3, 'vm_boot')];
  expect(doneAgain(once, before, reboot)).toEqual([]);
  expect(doneAgain([...once, event(4, 'vm_reboot')], before, reboot)).toEqual(['RebootInstance was done 2 times']);
  expect(doneAgain([...once, event(4, 'vm_reboot')], before, { ...reboot, kind: 'CloudVolume' })).toEqual([]);
});
