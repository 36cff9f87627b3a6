import { findGoTool, type GoTool } from '../../controlplane/programs/go-tool.ts';
import { thisMachine } from '../../controlplane/programs/machine.ts';
import { pinned } from '../../controlplane/programs/pinned.ts';

const crane: GoTool = {
  name: 'crane',
  wanted: 'crane',
  version: pinned.crane,
  source: 'github.com/google/go-containerregistry/cmd/crane',
  ask: ['registry', '--help'],
  major: 0,
  page: 'https://github.com/google/go-containerregistry',
  minutes: 1,
};
const cosign: GoTool = {
  name: 'cosign',
  wanted: 'cosign 3 or later',
  version: pinned.cosign,
  source: 'github.com/sigstore/cosign/v3/cmd/cosign',
  ask: ['version'],
  major: 3,
  page: 'https://docs.sigstore.dev/cosign/system_config/installation',
  minutes: 4,
};

/** Reads and writes registries, and is one. */
export const findCrane = (): Promise<string> => findGoTool(crane, thisMachine(log));
/** Signs and verifies. */
export const findCosign = (): Promise<string> => findGoTool(cosign, thisMachine(log));
const log = (line: string): void => void process.stderr.write(`${line}\n`);
