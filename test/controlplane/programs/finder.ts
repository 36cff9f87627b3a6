import type { Machine } from './machine.ts';
import { minorOf, OPTIONAL_TOOL, pinned, TOOLS, type Tool, type ToolPaths } from './pinned.ts';
import { assets } from '../source/assets.ts';
import { cached } from '../source/cached.ts';
import { download } from '../source/download.ts';
import { goBuild } from '../source/go-build.ts';
import type { Offer, Source } from '../source/source.ts';

/** In the order in which they are asked; the first that has a program is used for it. */
export const SOURCES: readonly Source[] = [assets, cached, download, goBuild];

/** Those that answer within seconds: nothing is compiled. */
export const READY_SOURCES: readonly Source[] = SOURCES.filter((source) => source !== goBuild);

export interface Toolchain {
  readonly etcd: string;
  readonly 'kube-apiserver': string;
  readonly kubectl: string;
  /** Absent when it could be neither found nor built. */
  readonly 'kube-controller-manager'?: string;
}

/** No source has the programs. The message lists what each one said and what to install. */
export class ToolsMissing extends Error {
  override readonly name = 'ToolsMissing';
  readonly missing: readonly Tool[];
  readonly reasons: readonly string[];

  constructor(missing: readonly Tool[], reasons: readonly string[]) {
    super(
      `${missing.join(', ')} not found.\n${reasons.map((reason) => `  - ${reason}`).join('\n')}\n` +
        'Any one of these is enough: Go 1.26 or later (https://go.dev/dl); KUBEBUILDER_ASSETS=<folder with etcd, kube-apiserver, kubectl>; ' +
        'a running Docker; USE_EXISTING_CLUSTER=true with KUBECONFIG.',
    );
    this.missing = missing;
    this.reasons = reasons;
  }
}

/** Finds every program of a control plane, building what is not there. Throws ToolsMissing. */
export async function findToolchain(machine: Machine, sources: readonly Source[] = SOURCES): Promise<Toolchain> {
  const search = new Search(machine);
  for (const source of sources) {
    const missing = search.missing();
    if (missing.length === 0) break;
    search.take(source.name, await source.find(missing, machine));
  }
  return search.result();
}

/** Finds one program alone, for a cluster that somebody else runs. */
export async function findTool(tool: Tool, machine: Machine, sources: readonly Source[] = SOURCES): Promise<string> {
  const reasons: string[] = [];
  for (const source of sources) {
    const offer = await source.find([tool], machine);
    const path = offer.tools[tool];
    if (path !== undefined) return path;
    reasons.push(`${source.name}: ${offer.reason}`);
  }
  throw new ToolsMissing([tool], reasons);
}

class Search {
  readonly #machine: Machine;
  readonly #found: ToolPaths = {};
  readonly #reasons: string[] = [];
  readonly #origin = new Map<string, Tool[]>();
  #version = '';
  #optionalDropped = false;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  missing(): Tool[] {
    return TOOLS.filter((tool) => this.#found[tool] === undefined && !(tool === OPTIONAL_TOOL && this.#optionalDropped));
  }

  take(name: string, offer: Offer): void {
    if (offer.reason) this.#reasons.push(`${name}: ${offer.reason}`);
    const taken = this.missing().filter((tool) => offer.tools[tool] !== undefined);
    for (const tool of taken) Object.assign(this.#found, { [tool]: offer.tools[tool] });
    if (taken.length > 0) this.#origin.set(`${name} ${offer.from}`, taken);
    if (taken.includes('kube-apiserver')) this.#settle(offer.version);
  }

  /** A controller manager must not be newer than its API server, and ours is of the pinned version. */
  #settle(version: string): void {
    this.#version = version;
    if (this.#found[OPTIONAL_TOOL] !== undefined || minorOf(version) === minorOf(pinned.kubernetes)) return;
    this.#optionalDropped = true;
    this.#reasons.push(
      `the API server is ${version}, so the ${OPTIONAL_TOOL} of ${pinned.kubernetes} does not fit: put one of ${minorOf(version)} beside it or set TEST_ASSET_KUBE_CONTROLLER_MANAGER`,
    );
  }

  result(): Toolchain {
    const { etcd, kubectl, 'kube-apiserver': apiServer, 'kube-controller-manager': manager } = this.#found;
    if (etcd === undefined || kubectl === undefined || apiServer === undefined) {
      throw new ToolsMissing(
        this.missing().filter((tool) => tool !== OPTIONAL_TOOL),
        this.#reasons,
      );
    }
    const from = [...this.#origin].map(([name, tools]) => (this.#origin.size === 1 ? name : `${tools.join(', ')} from ${name}`));
    this.#machine.log(`Control plane ${this.#version}: ${from.join('; ')}`);
    if (manager !== undefined) return { etcd, kubectl, 'kube-apiserver': apiServer, 'kube-controller-manager': manager };
    this.#machine.log(
      `Without ${OPTIONAL_TOOL} (namespaces stay Terminating, owned objects are not collected): ${this.#reasons.join('; ')}`,
    );
    return { etcd, kubectl, 'kube-apiserver': apiServer };
  }
}
