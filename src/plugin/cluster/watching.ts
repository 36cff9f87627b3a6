import { plural } from '../../generate/names.ts';
import { KubeObjects } from '../../kube/watch/objects.ts';
import type { Log } from '../../telemetry/log.ts';
import { CliError } from '../exit.ts';
import type { Session } from '../session.ts';

interface Watched {
  readonly kinds: readonly string[];
  /** None: all. */
  readonly namespaces: readonly string[];
  /** Told of what no time mends. */
  readonly refuse: (error: CliError) => void;
}

/** Objects that the API server keeps current, by one watch for each kind and namespace. */
export async function cacheOf(session: Session, { kinds, namespaces, refuse }: Watched): Promise<KubeObjects> {
  const { client } = await session.connected();
  const { clock, random } = session.host;
  const served = kinds.map((kind) => ({ kind, plural: plural(kind) }));
  const log = logInto(session, refuse);
  return new KubeObjects({ client, clock, random, log, kinds: served, watchNamespaces: [...namespaces], fieldManager: '' });
}

/** Says what the connection goes through; only a right that is missing ends the wait, because time does not bring it. */
const logInto = (session: Session, refused: (error: CliError) => void): Log => ({
  debug: () => undefined,
  info: () => undefined,
  warn: (_, { error, path } = {}) => {
    const message = String(error);
    if (/: 403 /.test(message)) refused(new CliError(4, [message, `The right that is missing: list and watch ${String(path)}`]));
    else session.warn(`${message}; waiting goes on`);
  },
  error: () => undefined,
});
