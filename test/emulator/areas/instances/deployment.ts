import type { Context } from '../../contract/context.ts';
import { array, integer, json, nullable, string } from '../../contract/fields.ts';
import type { ErrorItem } from '../../contract/refusal.ts';
import type { Image } from '../../records/images.ts';
import { images } from '../../records/images.ts';
import { sshKeys } from '../../records/ssh-keys.ts';
import type { StackScript } from '../../records/stackscripts.ts';
import { stackscripts } from '../../records/stackscripts.ts';
import { rootPassword } from '../shared/passwords.ts';

/** The part of a body that puts an image on a disk: instance create, rebuild, disk create. */
export const deploymentFields = {
  image: nullable(string()),
  root_pass: rootPassword(),
  authorized_keys: nullable(array(string({ pattern: /^(ssh-dss|ssh-rsa|ecdsa-sha2-nistp\d+|ssh-ed25519|sk-ecdsa-sha2-nistp256\S*) \S+/ }))),
  authorized_users: nullable(array(string())),
  stackscript_id: nullable(integer()),
  stackscript_data: nullable(
    json<Readonly<Record<string, unknown>>>((value, path, report) => {
      if (typeof value !== 'object' || Array.isArray(value)) return report('stackscript_data is not valid', path);
      if (JSON.stringify(value).length > 65_535) report('Length must be 0-65535 characters', path);
    }),
  ),
};

export interface DeploymentBody {
  readonly image?: string | null;
  readonly root_pass?: string;
  readonly authorized_keys?: readonly string[] | null;
  readonly authorized_users?: readonly string[] | null;
  readonly stackscript_id?: number | null;
  readonly stackscript_data?: Readonly<Record<string, unknown>> | null;
}

/** A checked deployment: what goes on the disk. */
export interface Deployment {
  readonly image: Image;
  readonly password: string;
  readonly keys: readonly string[];
}

/** The script if the caller may use it: its own, or a public one. */
function usableScript(ctx: Context<unknown>, id: number): StackScript | undefined {
  const script = ctx.store(stackscripts).get(id);
  if (script === undefined) return undefined;
  if (script.is_public) return script;
  return script.owner === ctx.euuid && ctx.may('stackscript', id, 'read_only') ? script : undefined;
}

function* scriptProblems(ctx: Context<unknown>, body: DeploymentBody): Iterable<ErrorItem> {
  if (typeof body.stackscript_id !== 'number') return;
  const script = usableScript(ctx, body.stackscript_id);
  if (script === undefined) {
    yield { reason: 'A valid StackScript by that ID was not found', field: 'stackscript_id' };
    return;
  }
  const { image } = body;
  if (typeof image !== 'string') yield { reason: 'image is required', field: 'image' };
  else if (!script.images.includes('any/all') && !script.images.includes(image)) {
    yield { reason: 'The requested distribution is not supported by this stackscript.' };
  }
  for (const udf of script.user_defined_fields) {
    const given = body.stackscript_data?.[udf.name] !== undefined;
    if (!given && udf['default'] === undefined) yield { reason: `${udf.name} is required`, field: `stackscript_data.${udf.name}` };
  }
}

function* imageProblems(ctx: Context<unknown>, body: DeploymentBody, room: number): Iterable<ErrorItem> {
  if (typeof body.image !== 'string') return;
  const image = ctx.store(images).get(body.image);
  if (image === undefined || image.status !== 'available') yield { reason: 'image is not valid', field: 'image' };
  else if (image.size > room) yield { reason: `Distribution requires a minimum size of ${image.size}` };
}

/** Users named must have a key on their profile (document 2, Create rules 2); the text is the generic form. */
function* userProblems(ctx: Context<unknown>, body: DeploymentBody): Iterable<ErrorItem> {
  const without = (body.authorized_users ?? []).some((name) => ctx.store(sshKeys).by('username', name).length === 0);
  if (without) yield { reason: 'authorized_users is not valid', field: 'authorized_users' };
}

/** Everything wrong with image, script and users; `room` in MB. The need of a password has its own text per operation. */
export function deploymentProblems(ctx: Context<unknown>, body: DeploymentBody, room: number): readonly ErrorItem[] {
  return [...imageProblems(ctx, body, room), ...scriptProblems(ctx, body), ...userProblems(ctx, body)];
}

/** Call after `deploymentProblems` found nothing; undefined without an image. */
export function deploymentOf(ctx: Context<unknown>, body: DeploymentBody): Deployment | undefined {
  const image = typeof body.image === 'string' ? ctx.store(images).get(body.image) : undefined;
  if (image === undefined) return undefined;
  const named = (body.authorized_users ?? []).flatMap((name) =>
    ctx
      .store(sshKeys)
      .by('username', name)
      .map((key) => key.ssh_key),
  );
  countDeployment(ctx, body.stackscript_id);
  return { image, password: body.root_pass ?? '', keys: [...(body.authorized_keys ?? []), ...named] };
}

function countDeployment(ctx: Context<unknown>, scriptId: number | null | undefined): void {
  const script = typeof scriptId === 'number' ? ctx.store(stackscripts).get(scriptId) : undefined;
  if (script === undefined) return;
  const change = { deployments_total: script.deployments_total + 1, deployments_active: script.deployments_active + 1 };
  ctx.store(stackscripts).update(script, change);
}
