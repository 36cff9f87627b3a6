import type { Millis, Timer } from '../../../src/lib/clock.ts';
import { releaseAnnotation } from '../../../src/engine/model/annotations.ts';
import type { Row } from '../../../src/resource/index.ts';
import { defaultAccounts } from '../../emulator/core/accounts.ts';
import { planted } from '../../support/samples/planted.ts';
import { remedyOf } from '../../support/world/remedy.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';
import { tokenCanary } from '../scenario/scenario.ts';
import { isReady } from '../stage/readiness.ts';
import { theKey } from '../stage/stage.ts';
import { Wire } from '../stage/wire.ts';
import { type Cast, edited, type Member, nameOf } from './cast.ts';
import { anewOf, isHeldByMembers, isLeaving, isStalled } from './object-state.ts';
import { type Act, cloudEffects, kubeActions } from './program.ts';

const minute: Millis = 60_000;
const leasePath = '/apis/coordination.k8s.io/v1/namespaces/cloud-operator/leases/cloud-operator';
const tokenPath = '/api/v1/namespaces/team-a/secrets/cloud-token';

const accounts = defaultAccounts.map((account, index) =>
  index === 0 ? { ...account, tokens: [...account.tokens, { token: tokenCanary, username: 'admin', scopes: '*' }] } : account,
);

/** The world of one random program, and what is wanted of it by now. */
export class Playground {
  readonly world: World;
  readonly wire: Wire;
  readonly cast: Cast;
  /** The specs of the objects that are to be there, by name. */
  readonly wanted = new Map<string, Row>();
  /** What an edit had an object refer to, by its name, besides what it needs from the start. */
  readonly #referred = new Map<string, readonly string[]>();
  /** Names of objects whose remotes may have gone with what they were in, since a program deleted that. */
  readonly #bereft = new Set<string>();
  #operator: RunningOperator | undefined;
  #coming: Timer | undefined;
  #tokens = 0;

  private constructor(world: World, wire: Wire, cast: Cast) {
    this.world = world;
    this.wire = wire;
    this.cast = cast;
  }
  static async open(cast: Cast): Promise<Playground> {
    const hold: { wire?: Wire } = {};
    const world = await World.create({
      leaseDuration: 300_000,
      emulator: { accounts, knobs: planted, speed: 5 },
      between: (server, backend, operator) => hold.wire?.between(server, backend, operator) ?? backend,
    });
    hold.wire = new Wire(
      () => world.clock.monotonic(),
      (request) => world.emulator.rateClass(request),
    );
    const playground = new Playground(world, hold.wire, cast);
    await world.secret('cloud-operator-key', { key: theKey }, 'cloud-operator');
    await world.account({ pollIntervalSeconds: 60 }, undefined, tokenCanary);
    playground.#launch();
    await world.ready('CloudAccount', 'default');
    playground.wire.begin();
    return playground;
  }

  #launch(): void {
    this.#operator = this.world.launch();
  }
  #restart(): void {
    this.wire.mark('the operator is killed');
    this.#operator?.kill();
    void this.world.server.as('admin', 'DELETE', leasePath);
    // Two that are asked for at once are one: a second operator beside it would find the Lease gone and lead, too.
    this.#coming?.cancel();
    this.#coming = this.world.clock.after(3000, () => this.#launch());
  }

  async play(act: Act): Promise<void> {
    this.wire.mark(JSON.stringify(act));
    if ('who' in act) {
      const member = this.cast.get(act.who);
      if (member !== undefined) await this.#playOn(act, member);
    } else if (act.do === 'restart') this.#restart();
    else if (act.do === 'rotate-token') await this.#rotate();
    else if (act.do === 'close-watches') this.world.server.closeWatches({});
    else if (act.do === 'compact') this.#compact();
    else if (act.do === 'cloud-fault') this.#cloudFault(act.effect, act.method);
    else if (act.do === 'kube-fault') this.#kubeFault(act.action);
  }
  #compact(): void {
    this.world.server.compact();
    this.world.server.closeWatches({});
  }
  #kubeFault(action: number): void {
    // The operator patches; people here replace.
    const match = { method: 'PATCH', path: /cloudhosting/ };
    this.world.server.faults.add({ match, nth: 1, action: kubeActions[action] ?? kubeActions[0] });
  }
  #cloudFault(effect: number, method: string): void {
    this.world.emulator.control.addFault({
      match: { method, username: 'admin' },
      times: 1,
      effect: cloudEffects[effect] ?? cloudEffects[0],
    });
  }
  async #rotate(): Promise<void> {
    this.#tokens += 1;
    const token = `${tokenCanary}${this.#tokens}`;
    this.world.emulator.control.setToken({ token, username: 'admin', scopes: '*' });
    await this.world.admin('PATCH', tokenPath, { data: { token: Buffer.from(token).toString('base64') } });
  }

  async #playOn(act: Extract<Act, { who: string }>, member: Member): Promise<void> {
    const { kind, name } = member.manifest;
    if (act.do === 'create') return this.want(act.who);
    if (!this.wanted.has(act.who)) return;
    if (act.do === 'delete') {
      this.wanted.delete(act.who);
      for (const name of this.cast.keys()) if (this.#needsOf(name).includes(act.who)) this.#bereft.add(name);
      await this.world.server.as('admin', 'DELETE', this.world.path(kind, undefined, name));
    } else if (act.do === 'edit') {
      await this.#edit(act.who, member, act.edit);
    } else await this.#disturb(act.do, member);
  }
  async #edit(name: string, member: Member, edit: number): Promise<void> {
    const next = edited(this.wanted.get(name) ?? {}, member, edit);
    if (next === undefined) return;
    this.#referred.set(name, [...(this.#referred.get(name) ?? []), ...next.needs]);
    for (const need of next.needs) await this.want(need);
    this.wanted.set(name, next.spec);
    await this.#apply(name);
  }
  readonly #needsOf = (name: string): readonly string[] => [...(this.cast.get(name)?.needs ?? []), ...(this.#referred.get(name) ?? [])];
  async #disturb(
    what: 'meddle' | 'lose' | 'wipe-status' | 'drop-annotations',
    { manifest: { kind, name }, meddling }: Member,
  ): Promise<void> {
    const path = this.world.path(kind, undefined, name);
    if (what === 'wipe-status') await this.#meddle(`${path}/status`, '/status');
    if (what === 'drop-annotations') await this.#meddle(path, '/metadata/annotations');
    const at = (await this.world.find(kind, name))?.status?.['path'];
    if (typeof at !== 'string') return;
    const username = at.startsWith('/profile/') ? 'admin' : 'colleague';
    const { control } = this.world.emulator;
    if (what === 'meddle' && meddling !== undefined)
      await control.actAs({ username, method: 'PUT', path: `/v4${at}`, body: meddling.body });
    if (what === 'lose') await control.actAs({ username, method: 'DELETE', path: `/v4${at}` });
  }

  /** The object is to be there, and first what it refers to. */
  async want(name: string): Promise<void> {
    const member = this.cast.get(name);
    if (member === undefined || this.wanted.has(name)) return;
    for (const need of member.needs) await this.want(need);
    this.wanted.set(name, member.manifest.spec);
    await this.#apply(name);
  }
  /** The fault that waits for the operator's next patch may hit this one: then nothing was meddled with, or it takes time to pass. */
  async #meddle(path: string, remove: string): Promise<void> {
    let isOver = false;
    const meddled = this.world.server.as('admin', 'PATCH', path, [{ op: 'remove', path: remove }]);
    void meddled.catch(() => undefined).finally(() => (isOver = true));
    await this.world.clock.runUntil(() => isOver, minute);
  }
  /** What is still on its way out comes back once it is gone. */
  async #apply(name: string): Promise<void> {
    const member = this.cast.get(name);
    const spec = this.wanted.get(name);
    if (member === undefined || spec === undefined) return;
    const { kind, name: object } = member.manifest;
    await this.world.provide(member.manifest);
    const there = await this.world.find(kind, object);
    if (there?.metadata.deletionTimestamp === undefined) await this.world.apply(kind, object, spec);
  }

  /** No more faults; everything that is wanted, and what it refers to, is asked for. */
  async heal(): Promise<void> {
    this.wire.mark('no more faults');
    this.world.emulator.control.clearFaults();
    this.world.server.faults.clear();
    // What is added on the way is looked at too.
    for (const [name] of this.wanted) for (const need of this.#needsOf(name)) await this.want(need);
  }
  /** Names of objects that are not as they are wanted. */
  async unsettled(): Promise<readonly string[]> {
    const all = await Promise.all(
      [...this.cast.values()].map(async ({ manifest }) => {
        const name = nameOf(manifest);
        const object = await this.world.find(manifest.kind, manifest.name);
        if (this.wanted.has(name) && object?.metadata.deletionTimestamp === undefined && object === undefined) await this.#apply(name);
        return (this.wanted.has(name) ? isReady(object) && !isStalled(object) && !isLeaving(object) : object === undefined) ? [] : [name];
      }),
    );
    return all.flat();
  }
  /** Time goes by; what is left to a person is done as its message says, by one who knows that nobody else made anything. */
  async settle(limit: Millis = 150 * minute): Promise<readonly string[]> {
    const end = this.world.clock.monotonic() + limit;
    for (let left = await this.unsettled(); left.length > 0; left = await this.unsettled()) {
      if (this.world.clock.monotonic() >= end) return left;
      for (const name of left) await this.#remedy(name);
      await this.#release();
      await this.world.clock.advance(10_000);
    }
    return [];
  }
  async #remedy(name: string): Promise<void> {
    const member = this.cast.get(name);
    if (member === undefined) return;
    const { kind, name: object } = member.manifest;
    const found = await this.world.find(kind, object);
    const at = new Date(this.world.clock.now()).toISOString();
    const remedy = found && (remedyOf(member.scenario.kind, found, at) ?? (this.#bereft.has(name) ? anewOf(found, at) : undefined));
    if (remedy?.remove !== undefined)
      await this.world.emulator.control.actAs({ username: 'admin', method: 'DELETE', path: `/v4${remedy.remove}` });
    if (remedy !== undefined) await this.world.admin('PATCH', this.world.path(kind, undefined, object), remedy.patch);
    if (isHeldByMembers(found)) await this.#takeAwayBelow(name);
  }
  /** What refers to it, which comes again once that is gone, if it is wanted. */
  async #takeAwayBelow(name: string): Promise<void> {
    for (const [below, { manifest, needs }] of this.cast)
      if (needs.includes(name) && (await this.world.find(manifest.kind, manifest.name)) !== undefined) {
        this.#bereft.add(below);
        await this.world.server.as('admin', 'DELETE', this.world.path(manifest.kind, undefined, manifest.name));
      }
  }
  /** Where so many are deleted at once that they are held. */
  async #release(): Promise<void> {
    const account = await this.world.find('CloudAccount', 'default');
    const [held] = (account?.status?.['held'] ?? []) as readonly { readonly release: string }[];
    const path = this.world.path('CloudAccount', undefined, 'default');
    if (held !== undefined) await this.world.admin('PATCH', path, { metadata: { annotations: { [releaseAnnotation]: held.release } } });
  }
  async deleteAll(): Promise<void> {
    for (const { manifest } of [...this.cast.values()].toReversed())
      await this.world.server.as('admin', 'DELETE', this.world.path(manifest.kind, undefined, manifest.name));
    this.wanted.clear();
  }
}
