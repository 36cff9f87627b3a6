import { beforeAll, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../emulator.ts';
import { watched } from './proof.ts';

describe('a title that names GET /volumes', () => {
  // Files that share a worker share what vitest says of the last test that ran.
  test('is still there when the hooks of others run: DELETE /volumes/{volumeId}', () => {
    expect(expect.getState().currentTestName).toContain('DELETE /volumes');
  });

  describe('of a test that is over', () => {
    const emulator = createEmulator();
    let made: Emulator | undefined;
    beforeAll(() => {
      made = watched(emulator);
    });
    test('holds no hook to anything', () => expect(made).toBe(emulator));
  });
});
