import type { Exit } from '../exit.ts';
import type { Flag, Flags } from './flag.ts';
import type { Kind } from '../output/shapes.ts';
import type { Session } from '../session.ts';

/** A right that RBAC gives, and what for. */
export interface Right {
  readonly verbs: readonly string[];
  /** `kinds`: those of the objects that are asked for, in API group cloudhosting.dev. Else `resource` or `resource.group`. */
  readonly resource:
    | 'kinds'
    | 'cloudaccounts'
    | 'secrets'
    | 'configmaps'
    | 'namespaces'
    | 'events'
    | 'pods'
    | 'pods/log'
    | 'pods/proxy'
    | 'endpoints'
    | 'networkpolicies.networking.k8s.io'
    | 'kustomizations.kustomize.toolkit.fluxcd.io'
    | 'applications.argoproj.io'
    | 'nodes'
    | 'leases.coordination.k8s.io'
    | 'clusterrolebindings.rbac.authorization.k8s.io'
    | 'customresourcedefinitions'
    | 'deployments.apps';
  /** Without it the verb works too, and knows less. */
  readonly optional?: true;
}

/** `nobody`; `reads`: GETs of the Kubernetes API; `writes`: annotations too; `orders`: makes one object of what is done once, and confirms it; `prunes`: deletes such objects that are done; `moves`: makes objects in another cluster and deletes them here; `strips`: takes finalizers off; `asks`: GETs of the cloud account too; `looks`: these and dry runs; `changes`: the cloud account is asked, and changed once. */
export type Talks = 'nobody' | 'reads' | 'writes' | 'orders' | 'prunes' | 'moves' | 'strips' | 'asks' | 'looks' | 'changes';

/** What a person must say before it is done; without a terminal, by flags. */
export type Level =
  /** Nothing. */
  | 'C0'
  /** Yes (`--yes`). */
  | 'C1'
  /** The name of what is concerned, typed (`--confirm NAME`). */
  | 'C2'
  /** The same, and without a terminal the id of the account too (`--expect-account ID`). */
  | 'C3';

/** What a verb answers. `data` is what `-o json` shows, in the shape of this `kind`. */
export interface Answer {
  readonly exit: Exit;
  readonly kind: Kind;
  readonly data: unknown;
  /** What a terminal shows. Whatever is in one of them, it stays one line. */
  readonly lines: readonly string[];
  /** The same with more columns, for `-o wide`. */
  readonly wide?: readonly string[];
}
export interface Call {
  readonly session: Session;
  readonly args: readonly string[];
  readonly flags: Flags;
}
export type Verb = (call: Call) => Promise<Answer>;

/** One row of the command table: parser, help, completion, reference page and laws follow from it. */
export interface Command {
  readonly name: string;
  readonly does: string;
  /** What may be named: nothing, or words after the verb. */
  readonly args?: string;
  /** Kinds whose objects may be named, where it is not about all: completion offers no others. */
  readonly kinds?: () => Promise<readonly string[]>;
  /** More for `help VERB` and the reference page. */
  readonly details: string;
  readonly flags: readonly Flag[];
  readonly talks: Talks;
  readonly rights: readonly Right[];
  /** The highest that it may ask for. */
  readonly confirms: Level;
  /** What codes mean here, where it is more than everywhere. */
  readonly exits?: Partial<Record<Exit, string>>;
  readonly examples: readonly string[];
  readonly load: () => Promise<Verb>;
}
