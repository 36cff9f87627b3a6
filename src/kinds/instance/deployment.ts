import { answersBody, type Awaited, type Body, type RemoteId, type ScriptAnswers, type Sensitive } from '../../resource/index.ts';

/** The part of a want that a deployment needs. */
export interface Deployed {
  readonly image?: string | undefined;
  readonly imageRef?: RemoteId | undefined;
  readonly rootPasswordSecretRef?: Sensitive | undefined;
  readonly authorizedKeys?: readonly string[] | undefined;
  readonly authorizedUsers?: readonly string[] | undefined;
  readonly stackscriptId?: number | undefined;
  readonly stackscriptRef?: RemoteId | undefined;
  readonly stackscriptData?: ScriptAnswers | undefined;
  readonly power?: 'On' | 'Off' | undefined;
  readonly bootConfigRef?: RemoteId | undefined;
  readonly awaited?: Awaited;
}
/** What deploys an image, at creation and again at a rebuild. */
export const deployment = (want: Deployed): Body => ({
  image: want.image ?? want.imageRef,
  root_pass: want.rootPasswordSecretRef,
  authorized_keys: want.authorizedKeys,
  authorized_users: want.authorizedUsers,
  stackscript_id: want.stackscriptId ?? want.stackscriptRef,
  stackscript_data: answersBody(want.stackscriptData),
  booted: want.power === 'Off' ? false : undefined,
});
