import * as z from 'zod';
import type { Body, Sensitive } from '../call.ts';
import { secretKey } from '../schema.ts';
import { optional, together } from './fields.ts';

/** Answers to the fields of a StackScript, by their names; what is secret comes out of Secrets. */
export const scriptAnswers = () =>
  together(
    z
      .array(
        z
          .object({
            name: z.string().min(1).max(100).describe('Name of the field of the script.'),
            value: optional(z.string().max(65_535), 'Its value. Absent: taken from secretRef.'),
            secretRef: optional(secretKey(), 'Key of a Secret that holds the value. Absent: value is used.'),
          })
          .meta({
            'x-kubernetes-validations': [
              { rule: 'has(self.value) != has(self.secretRef)', message: 'set exactly one of value and secretRef' },
            ],
          }),
      )
      .max(64)
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
    {
      length: '(has(one.value) ? size(one.value) : 0)',
      most: 65_535,
      message: 'the service takes 65535 characters of stackscriptData, all values together: have the script download what is long',
    },
  );

/** Of what has `stackscriptId`, `stackscriptRef` and `stackscriptData`. */
export const scriptRules = [
  {
    rule: '!(has(self.stackscriptId) && has(self.stackscriptRef))',
    message: 'set at most one of stackscriptId and stackscriptRef',
  },
  {
    rule: '!has(self.stackscriptData) || has(self.stackscriptId) || has(self.stackscriptRef)',
    message: 'stackscriptData answers a script: set stackscriptRef too',
  },
] as const;

interface ScriptAnswer {
  readonly name: string;
  readonly value?: string | undefined;
  readonly secretRef?: Sensitive | undefined;
}
export type ScriptAnswers = readonly ScriptAnswer[];

/** As the service takes them. */
export const answersBody = (answers: ScriptAnswers | undefined): Body | undefined =>
  answers && Object.fromEntries(answers.map(({ name, value, secretRef }) => [name, value ?? secretRef]));
