import manifest from '../../package.json' with { type: 'json' };

export interface Build {
  readonly name: string;
  readonly version: string;
  /** Empty where the image was not built from a commit. */
  readonly commit: string;
}

export const buildOf = (commit: string | undefined): Build => ({ name: manifest.name, version: manifest.version, commit: commit ?? '' });

/** The one line of `cloud-operator version`. */
export const versionLine = ({ name, version, commit }: Build): string =>
  `${name} ${version}${commit === '' ? '' : ` (commit ${commit})`}, Node.js ${process.version}`;
