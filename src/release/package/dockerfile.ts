/** What a stage of a Dockerfile makes of its base. */
export interface Stage {
  readonly config: {
    readonly Env: Readonly<Record<string, string>>;
    readonly Labels: Readonly<Record<string, string>>;
    readonly User: string;
    readonly ExposedPorts: Readonly<Record<string, object>>;
    readonly Entrypoint: readonly string[];
    readonly Cmd: readonly string[];
  };
  /** The folder that the programs are copied into. */
  readonly folder: string;
}

/**
 * The stage of this name, or the last. Reads the instructions that our Dockerfile has and refuses others, so that the image that `docker build` makes for oneself
 * and the one that is released say the same.
 */
export function stageOf(dockerfile: string, args: Readonly<Record<string, string>>, name?: string): Stage {
  const lines = dockerfile
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const from = lines.findLastIndex((line) =>
    name === undefined ? line.startsWith('FROM ') : line.startsWith('FROM ') && line.endsWith(` AS ${name}`),
  );
  if (from < 0) throw new Error(`Dockerfile: there is no stage ${name}`);
  const end = lines.findIndex((line, at) => at > from && line.startsWith('FROM '));
  const all = lines.slice(from + 1, end < 0 ? undefined : end).map((line) => /^(\S+)\s+(.*)$/.exec(line) ?? ['', line, '']);
  const unknown = all.find(([, word = '']) => !known.has(word));
  if (unknown) throw new Error(`Dockerfile: a release does not know ${unknown[1]} in a stage that it makes`);
  const said = (word: string): readonly string[] => all.flatMap(([, name, text = '']) => (name === word ? [text] : []));
  const list = (word: string): readonly string[] => JSON.parse(said(word).at(-1) ?? '[]') as readonly string[];
  const ports = said('EXPOSE').flatMap((text) => text.split(/\s+/));
  return {
    config: {
      Env: pairs(said('ENV'), args),
      Labels: pairs(said('LABEL'), args),
      User: said('USER').at(-1) ?? '',
      ExposedPorts: Object.fromEntries(ports.map((port) => [`${port}/tcp`, {}])),
      Entrypoint: list('ENTRYPOINT'),
      Cmd: list('CMD'),
    },
    folder: said('COPY').at(-1)?.split(/\s+/).at(-1) ?? '',
  };
}

const known = new Set(['ARG', 'LABEL', 'COPY', 'ENV', 'USER', 'EXPOSE', 'ENTRYPOINT', 'CMD']);

/** `a=b c="d e"`, with build arguments put in. */
const pairs = (texts: readonly string[], args: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    texts
      .flatMap((text) => [...text.matchAll(/([\w.-]+)=(?:"([^"]*)"|(\S*))/g)])
      .map(([, key = '', quoted, plain = '']) => [
        key,
        (quoted ?? plain).replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
          const value = args[name];
          if (value === undefined) throw new Error(`Dockerfile: a release does not know \${${name}}`);
          return value;
        }),
      ]),
  );
