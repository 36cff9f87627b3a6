import type { Millis } from '../../../src/lib/clock.ts';
import { asCollection, itemOf, placesOf, type Row } from '../../../src/resource/index.ts';
import type { LedgerObject, LedgerRequest } from '../../emulator/core/ledger.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { KubeObject, World } from '../../support/world/world.ts';

/** Where a scenario plays, as far as its account is concerned. */
interface Setting {
  readonly world: World;
  readonly scenario: Scenario;
  readonly before: ReadonlySet<LedgerObject>;
  readonly wire: { mark(mark: string): void };
  subject(): Promise<KubeObject | undefined>;
}

/** The subject's remote, as the account's ledger knows it. */
export interface Remote {
  /** Neutral, without version segment. */
  readonly path: string;
  readonly life: LedgerObject;
  /** The call that made it. */
  readonly born: Pick<LedgerRequest, 'path' | 'body'>;
}

/** Undefined while the subject has none. */
export async function remoteOf(stage: Setting): Promise<Remote | undefined> {
  const shown = (await stage.subject())?.status?.['path'];
  const made = births(stage);
  return typeof shown === 'string' ? made.findLast(({ path }) => path === shown) : made.findLast(({ life }) => !stage.before.has(life));
}

/** What lives, or lived, at this path; undefined for what the subject's collection never made. */
export const lifeAt = (stage: Setting, path: string): LedgerObject | undefined => births(stage).findLast((one) => one.path === path)?.life;

/** How long a status may run behind: a sweep, or a visit of the parent, every five minutes, and the lag of its listing. */
export const staleness: Millis = 8 * 60_000;

/** Everything that a POST to the subject's collection made. */
function births(stage: Setting): readonly Remote[] {
  const { kind } = stage.scenario;
  const { control } = stage.world.emulator;
  const lives = control.objects();
  return control.requests().flatMap((request) => {
    const insert = request.changes.find((change) => change.kind === 'insert');
    const life =
      insert === undefined && asCollection(kind)?.appears !== undefined
        ? lives.findLast((one) => isMadeLater(one, request))
        : lives.findLast(({ collection, key }) => collection === insert?.collection && key === insert.key);
    if (request.method !== 'POST' || request.status !== 200 || life === undefined) return [];
    const path = request.path.replace(/^\/v4(beta)?(?=\/)/, '');
    const places = placesOf(kind);
    const collection = places.length === 0 ? request.path : places.find((place) => path.startsWith(place));
    if (collection === undefined) return [];
    return [{ path: itemOf(kind, life.row as Row, collection), life, born: request }];
  });
}

/** A job made it, after the call that asked for it. */
const isMadeLater = ({ row, origin }: LedgerObject, { body }: Pick<LedgerRequest, 'body'>): boolean =>
  !origin.startsWith('request') && (JSON.parse(body || '{}') as Row)['label'] === (row as Row)['label'];

/** What a colleague does through the API; gives the status of the answer. */
export async function asColleague(stage: Setting, method: string, path: string, body?: unknown): Promise<number> {
  const { status } = await stage.world.emulator.control.actAs({ username: 'colleague', method, path: `/v4${path}`, body });
  stage.wire.mark(`a colleague: ${method} ${path} -> ${status}`);
  return status;
}
