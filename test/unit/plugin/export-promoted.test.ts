import { describe, expect, it } from 'vitest';
import { promoted } from '../../../src/plugin/export/files/files.ts';

const manifest = (lifecycle: string): string => `# Written by kubectl cloud export.
kind: CloudStackScript
spec:
  adopt:
    id: 1
${lifecycle}  script: |
    management: Observe
    lifecycle:
        management: Observe
`;
const observed = '  lifecycle:\n    management: Observe\n';

describe('a promoted manifest', () => {
  it.each([
    ['has no lifecycle where that said nothing else', observed, ''],
    ['keeps what is said beside', `${observed}    onDelete: Delete\n`, '  lifecycle:\n    onDelete: Delete\n'],
    ['keeps comments', '  # why\n  lifecycle: # how\n    # until Monday\n    management: Observe\n', '  # why\n    # until Monday\n'],
    ['is left as it is where it was promoted before, whatever a script has', '', ''],
    ['is left as it is where it is managed', '  lifecycle:\n    onDelete: Delete\n', '  lifecycle:\n    onDelete: Delete\n'],
  ])('%s', (_, before, after) => {
    expect(promoted(manifest(before))).toBe(manifest(after));
  });

  it('is each one of a file', () => {
    expect(promoted([manifest(observed), manifest(observed)].join('---\n'))).toBe([manifest(''), manifest('')].join('---\n'));
  });
});
